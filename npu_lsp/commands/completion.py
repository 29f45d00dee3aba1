"""`npu-lsp completion`: prints a script with which a shell completes npu-lsp's commands and options."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from npu_lsp.catalog.components import COMPONENTS
from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.catalog.products import products
from npu_lsp.catalog.profiles import profiles
from npu_lsp.commands.language import chosen, told
from npu_lsp.commands.main import command_names, command_parser, command_summary, operands
from npu_lsp.commands.output import write_out
from npu_lsp.rules import all_rules
from npu_lsp.text.bilingual import Text

_EPILOG = Text(
    """\
examples:
  mkdir -p ~/.local/share/bash-completion/completions
  npu-lsp completion bash > ~/.local/share/bash-completion/completions/npu-lsp
  # where the package bash-completion is missing
  npu-lsp completion bash >> ~/.bashrc
  # with ~/.zfunc in fpath before compinit
  mkdir -p ~/.zfunc
  npu-lsp completion zsh > ~/.zfunc/_npu-lsp
  mkdir -p ~/.config/fish/completions
  npu-lsp completion fish > ~/.config/fish/completions/npu-lsp.fish
""",
    """\
示例：
  mkdir -p ~/.local/share/bash-completion/completions
  npu-lsp completion bash > ~/.local/share/bash-completion/completions/npu-lsp
  # 未安装 bash-completion 软件包时使用
  npu-lsp completion bash >> ~/.bashrc
  # 需在 compinit 之前将 ~/.zfunc 加入 fpath
  mkdir -p ~/.zfunc
  npu-lsp completion zsh > ~/.zfunc/_npu-lsp
  mkdir -p ~/.config/fish/completions
  npu-lsp completion fish > ~/.config/fish/completions/npu-lsp.fish
""",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told(
        "Prints a script with which your shell completes the commands and options of npu-lsp.",
        "输出补全脚本，用于在 Shell 中补全 npu-lsp 的命令和选项。",
    )
    parser.epilog = _EPILOG.to(chosen())
    about = told("the shell that reads the script", "读取该脚本的 Shell")
    parser.add_argument("shell", choices=tuple(_SHELLS), help=about)


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    write_out([f"{line}\n" for line in _SHELLS[arguments.shell]()])
    return 0


def _options(command: str) -> Iterator[tuple[Sequence[str], argparse.Action]]:
    """Yield the options of a command, each with all its spellings."""
    for action in command_parser(command)._actions:  # noqa: SLF001 - argparse has no public list
        if action.option_strings and action.help is not argparse.SUPPRESS:
            yield action.option_strings, action


_FILES = frozenset(("FILE", "DIR", "PATH", "REPORT", "NAME", "LOG", "A", "B"))
"""Words of what help calls an argument that is the path of something."""
_TAKE_RULES = ("rule", "select", "extend_select", "ignore")
_TAKE_LISTS = frozenset(("select", "extend_select", "ignore"))


def choices(action: argparse.Action) -> list[str]:
    """Return the words that an argument takes, none where anything may stand."""
    if action.choices:
        return [str(choice) for choice in action.choices]
    if action.dest in _TAKE_RULES:
        return [rule.code for rule in all_rules()]
    if action.dest == "profile":
        return [*profiles(load(), {})]
    if _names_versions(action):
        return [f"{name}={value}" for name, values in targets().items() for value in values]
    if action.dest in targets():
        return targets()[action.dest]
    if action.dest == "word":
        return sorted({word for command in command_names() if command != "help" for word in _fixed_words(command)})
    return _option_names() if action.metavar == "NAME" and action.nargs == "?" else []


def _fixed_words(command: str) -> list[str]:
    """Return the words of its own that a command takes in the first place: `show` of `options`."""
    first = next(iter(operands(command)), None)
    return [str(choice) for choice in (first.choices if first is not None else None) or ()]


def _takes_list(action: argparse.Action) -> bool:
    """Return whether an argument takes several of its words, with commas."""
    return action.dest in _TAKE_LISTS or _names_versions(action)


def _takes_files(action: argparse.Action) -> bool:
    """Return whether an argument is the path of something."""
    words = re.split(r"[^A-Z]+", str(action.metavar))
    return not _FILES.isdisjoint(words) and not choices(action)


def _names_versions(action: argparse.Action) -> bool:
    """Return whether an argument is a target, such as `cann=9.0`."""
    return action.metavar == "KEY=VALUE"


def targets() -> Mapping[str, list[str]]:
    """Return what `--target` can name, and the values of each."""
    catalog = load()
    lines = catalog.plain("versions")
    return {**{name: list(lines[name]) for name in COMPONENTS}, "product": list(products(catalog).ids)}


def _option_names() -> list[str]:
    """Return the names that `options show` knows."""
    catalog = load()
    return sorted({name for surface in Surface for name in catalog.names(surface)})


def _words(command: str) -> list[str]:
    """Return the fixed words that a command takes in the first place."""
    return [word for action in operands(command)[:1] for word in choices(action)]


def _takes_value(action: argparse.Action) -> bool:
    return action.nargs != 0


def _reads_files(command: str) -> bool:
    return any(map(_takes_files, operands(command)))


def _bash() -> Iterator[str]:
    yield "# bash completion for npu-lsp"
    yield "_npu_lsp_files() {"
    # Line by line: a name may hold blanks and signs that the shell would unfold.
    yield '    local each; while IFS= read -r each; do COMPREPLY+=("$each"); done < <(compgen -f -- "$cur")'
    yield "}"
    yield "_npu_lsp_list() {"
    yield '    local last="${cur##*,}"; COMPREPLY=($(compgen -P "${cur%"$last"}" -W "$1" -- "$last"))'
    yield "}"
    yield "_npu_lsp() {"
    yield "    COMPREPLY=()"
    yield '    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" words=""'
    # bash takes `--option=value` for three words.
    yield '    if [[ $cur == = ]]; then cur=""; elif [[ $prev == = ]]; then prev="${COMP_WORDS[COMP_CWORD-2]}"; fi'
    yield "    if [[ $COMP_CWORD -eq 1 ]]; then"
    yield f'        COMPREPLY=($(compgen -W "{" ".join(command_names())} --help --version" -- "$cur"))'
    yield "        return"
    yield "    fi"
    yield '    case "${COMP_WORDS[1]}:$prev" in'
    names = _bash_list(f"{name}=" for name in targets()) + "; compopt -o nospace 2>/dev/null"
    for name, values in targets().items():
        # What stands behind `--target`, cut at the sign.
        yield f"        *:{name}|*:*,{name}) if [[ $cur == *,* ]]; then {names}"
        yield f'            else COMPREPLY=($(compgen -W "{" ".join(values)}" -- "$cur")); fi; return ;;'
    yield f'        options:show) COMPREPLY=($(compgen -W "{" ".join(_option_names())}" -- "$cur")); return ;;'
    for command in command_names():
        if command != "help" and (known := " ".join(_fixed_words(command))):
            yield f'        help:{command}) COMPREPLY=($(compgen -W "{known}" -- "$cur")); return ;;'
        for spellings, action in _options(command):
            pattern = "|".join(f"{command}:{name}" for name in spellings)
            if _names_versions(action):
                yield f"        {pattern}) {names}; return ;;"
            elif _takes_list(action):
                yield f"        {pattern}) {_bash_list(choices(action))}; return ;;"
            elif known := " ".join(choices(action)):
                yield f'        {pattern}) COMPREPLY=($(compgen -W "{known}" -- "$cur")); return ;;'
            elif _takes_value(action):
                yield f"        {pattern}) {'_npu_lsp_files; ' * _takes_files(action)}return ;;"
    yield "    esac"
    yield '    case "${COMP_WORDS[1]}" in'
    for command in command_names():
        spellings = [name for names, _ in _options(command) for name in names]
        files = "; _npu_lsp_files" * _reads_files(command)
        yield f'        {command}) words="{" ".join([*_words(command), *spellings])}"{files} ;;'
    yield "    esac"
    yield '    COMPREPLY+=($(compgen -W "$words" -- "$cur"))'
    yield "}"
    yield "complete -o filenames -F _npu_lsp npu-lsp"


def _bash_list(words: Iterable[str]) -> str:
    """Return what completes the last one of several words with commas."""
    return f'_npu_lsp_list "{" ".join(words)}"'


def _zsh() -> Iterator[str]:
    yield "#compdef npu-lsp"
    yield "_npu_lsp() {"
    yield "  local -a commands"
    yield "  commands=("
    for command in command_names():
        yield f"    {_quoted(f'{command}:{command_summary(command)}')}"
    yield "  )"
    yield "  if (( CURRENT == 2 )); then _describe command commands; return; fi"
    yield "  case $words[2] in"
    for command in command_names():
        yield f"    {command})"
        yield "      _arguments \\"
        yield "        '1: :' \\"
        for names, action in _options(command):
            for name in names:
                yield f"        {_quoted(_zsh_option(name, action))} \\"
        for number, action in enumerate(operands(command), 2):
            place = "*" if action.nargs in ("*", "+") else str(number)
            yield f"        {_quoted(f'{place}: :{_zsh_values(action)}')} \\"
        yield "        ;;"
    yield "  esac"
    yield "}"
    yield 'if [ "$funcstack[1]" = "_npu-lsp" ]; then _npu_lsp "$@"; else compdef _npu_lsp npu-lsp; fi'


def _zsh_option(name: str, action: argparse.Action) -> str:
    about = _about(action).replace("[", "(").replace("]", ")").replace(":", r"\:")
    if not _takes_value(action):
        return f"*{name}[{about}]"
    # The sign tells that the value may follow it as well as a blank.
    text = f"*{name}{'=' if name.startswith('--') else ''}[{about}]"
    return f"{text}: :{_zsh_values(action)}"


def _zsh_values(action: argparse.Action) -> str:
    known = choices(action)
    if known and _takes_list(action):
        return f"_sequence compadd - {' '.join(known)}"
    return f"({' '.join(known)})" if known else "_files" if _takes_files(action) else ""


def _fish() -> Iterator[str]:
    yield "# fish completion for npu-lsp"
    for command in command_names():
        about = _quoted(command_summary(command))
        yield f"complete -c npu-lsp -n __fish_use_subcommand -f -a {command} -d {about}"
    for command in command_names():
        when = f"-n '__fish_seen_subcommand_from {command}'"
        words = _words(command)
        if words or not _reads_files(command):
            yield f"complete -c npu-lsp {when} -f -a {_quoted(' '.join(words))}"
        for names, action in _options(command):
            flags = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in names)
            line = f"complete -c npu-lsp {when} {flags} -d {_quoted(_about(action))}"
            if known := choices(action):
                offered = " ".join(known)
                line += f" -x -a {_quoted(f'(__fish_append , {offered})' if _takes_list(action) else offered)}"
            elif _takes_value(action):
                line += " -r" if _takes_files(action) else " -x"
            yield line
    names_of = _quoted(" ".join(_option_names()))
    yield f"complete -c npu-lsp -n '__fish_seen_subcommand_from options; and __fish_seen_subcommand_from show' -f -a {names_of}"


def _about(action: argparse.Action) -> str:
    return " ".join((action.help or "").replace("%%", "%").split())


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


_SHELLS: dict[str, Callable[[], Iterator[str]]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
