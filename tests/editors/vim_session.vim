" What a user does in Vim with ALE, step by step; the answers are written as JSON to the file in $ANSWERS.
" Run with: vim -N -u CONFIGURATION -i NONE -n --not-a-term FILE -S vim_session.vim

let s:answers = {}

function! s:WaitFor(what, Condition) abort
  let l:start = reltime()
  while !a:Condition()
    if reltimefloat(reltime(l:start)) > str2float($PATIENCE)
      throw 'timed out waiting for ' . a:what
    endif
    sleep 20m
  endwhile
endfunction

function! s:Findings() abort
  let l:found = filter(copy(ale#engine#GetLoclist(bufnr(''))), {_, each -> each.linter_name ==# 'npu_lsp'})
  return map(l:found, {_, each -> [each.lnum, get(each, 'code', ''), each.text]})
endfunction

function! s:Preview() abort
  let l:window = filter(range(1, winnr('$')), {_, number -> getwinvar(number, '&previewwindow')})
  return empty(l:window) ? '' : join(getbufline(winbufnr(l:window[0]), 1, '$'), "\n")
endfunction

function! s:Session() abort
  let s:answers.version = v:version
  call s:WaitFor('findings', {-> !empty(s:Findings())})
  let s:answers.findings = s:Findings()

  call search('use_off_line')
  ALEHover
  call s:WaitFor('the hover', {-> s:Preview() =~# 'use_off_line'})
  let s:answers.hover = s:Preview()
  pclose

  call search('precison_mode')
  ALECodeAction
  call feedkeys("1\<CR>", 't')
  call s:WaitFor('the fix', {-> search('precision_mode', 'nw') > 0})
  let s:answers.fixed = getline(1, '$')
  ALELint
  " A script is in the way of the event that would ask for this.
  call s:WaitFor('the finding to go', {-> empty(filter(s:Findings(), {_, each -> each[1] ==# 'NPU101'}))})

  call append('$', 'custom_op.parameter_map["graph_r')
  call cursor('$', 1)
  call feedkeys("A\<C-x>\<C-o>\<Esc>", 'x')
  let s:answers.completed = getline('$')
endfunction

try
  call s:Session()
catch
  let s:answers.error = v:exception . ' at ' . v:throwpoint
endtry
call writefile([json_encode(s:answers)], $ANSWERS)
qall!
