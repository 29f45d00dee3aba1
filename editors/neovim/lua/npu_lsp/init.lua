-- Starts npu-lsp in Neovim. `require("npu_lsp").setup()` works from Neovim 0.7 on; from 0.11 on
-- `vim.lsp.enable("npu_lsp")` does the same with what lsp/npu_lsp.lua returns.

local M = {}

M.filetypes = { "python", "sh", "bash", "zsh", "dockerfile", "markdown", "rst", "yaml", "make", "env", "diff", "dosini", "cfg", "conf", "json", "jsonc", "toml" }
M.root_markers = { "npu-lsp.toml", ".npu-lsp.toml", "pyproject.toml", ".git" }

-- What the server calls a file type where the two differ.
local LANGUAGE_IDS = { sh = "shellscript", bash = "shellscript", zsh = "shellscript", make = "makefile", env = "dotenv", rst = "restructuredtext" }

-- File types that hold all sorts of things: only files that options point to and the server's own configuration are
-- read, and their names tell.
local MIXED = { dosini = true, cfg = true, conf = true, json = true, jsonc = true, toml = true }
local NAMES = {
  "^%.?npu%-lsp%.toml$",
  "^pyproject%.toml$",
  "op_?precision.*%.ini$",
  "op_cache.*%.ini$",
  "fusion[-_]?switch",
  "mixlist.*%.json$",
  "customize_dtypes",
  "keep_dtype",
  "op_debug_config",
  "compression_optimize",
  "aipp",
  "insert_op",
  "^tox%.ini$",
  "^setup%.cfg$",
  "^pytest%.ini$",
  "^launch%.json$",
  "^tasks%.json$",
  "^settings%.json$",
  "devcontainer%.json$",
}

local function language_id(_, filetype)
  return LANGUAGE_IDS[filetype] or filetype
end

local function notify_once(message)
  if not M.warned then
    M.warned = true
    vim.notify("npu-lsp: " .. message, vim.log.levels.ERROR)
  end
end

--- Tells whether a buffer is a file that the server reads.
function M.reads(buffer)
  local bo = vim.bo[buffer]
  if bo.buftype ~= "" or not vim.tbl_contains(M.filetypes, bo.filetype) then
    return false
  end
  if not MIXED[bo.filetype] then
    return true
  end
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ":t"):lower()
  for _, pattern in ipairs(NAMES) do
    if name:find(pattern) then
      return true
    end
  end
  return false
end

--- Returns the project's folder: the nearest one with a configuration, else the repository, else the file's own.
function M.root(path)
  local folder = vim.fn.fnamemodify(path, ":p:h")
  for _, marker in ipairs(M.root_markers) do
    -- A `;` at the end makes it look in all folders above; one in the name would do so, too.
    local upward = vim.fn.escape(folder, ";, ") .. ";"
    local found = vim.fn.findfile(marker, upward)
    if found == "" and marker == ".git" then -- a folder, but in a work tree a file
      found = vim.fn.finddir(marker, upward)
    end
    if found ~= "" then
      return (vim.fn.fnamemodify(found, ":p"):gsub("[/\\]+$", ""):gsub("[/\\][^/\\]+$", ""))
    end
  end
  return folder
end

--- Calls `start` with the folder of a buffer that the server reads, where there is a server.
local function for_buffer(command, buffer, start)
  if not M.reads(buffer) then
    return
  end
  if vim.fn.executable(command) == 0 then
    notify_once(command .. " was not found; install it with: pip install npu-lsp")
    return
  end
  start(M.root(vim.api.nvim_buf_get_name(buffer)))
end

--- Returns the client's configuration; `options` win over the defaults.
--- `options.settings.npuLsp` takes the keys of npu-lsp.toml.
function M.config(options)
  local config = vim.tbl_deep_extend("force", {
    name = "npu_lsp",
    cmd = { vim.env.NPU_LSP_SERVER or "npu-lsp", "serve" },
    filetypes = M.filetypes,
    get_language_id = language_id,
    settings = { npuLsp = vim.empty_dict() },
  }, options or {})
  if not config.root_dir then
    config.root_dir = function(buffer, start)
      for_buffer(config.cmd[1], buffer, start)
    end
  end
  M.command = config.cmd[1]
  return config
end

--- Says so when the command is missing: from 0.12 on, `vim.lsp.enable` writes that to its log and nowhere else.
function M.tell_missing()
  vim.api.nvim_create_autocmd("FileType", {
    group = vim.api.nvim_create_augroup("npu_lsp", { clear = true }),
    pattern = M.filetypes,
    callback = function(event)
      local command = vim.lsp.config.npu_lsp.cmd
      if type(command) == "table" then
        for_buffer(command[1], event.buf, function() end)
      end
    end,
  })
end

-- Neovim before 0.8 has no vim.lsp.start, which reuses a client of the same folder.
local clients = {}

local function start_by_hand(config)
  local id = clients[config.root_dir]
  if not id or not vim.lsp.get_client_by_id(id) then
    id = vim.lsp.start_client(config)
    clients[config.root_dir] = id
  end
  if id then
    vim.lsp.buf_attach_client(0, id)
  end
end

--- Starts the server for each buffer that it reads.
function M.setup(options)
  local config = M.config(options)
  if vim.lsp.config and vim.lsp.enable then
    M.tell_missing()
    vim.lsp.config("npu_lsp", config)
    vim.lsp.enable("npu_lsp")
    return
  end
  local group = vim.api.nvim_create_augroup("npu_lsp", { clear = true })
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    pattern = config.filetypes,
    callback = function(event)
      local buffer = event.buf ~= 0 and event.buf or vim.api.nvim_get_current_buf()
      local function start(root)
        local own = vim.tbl_extend("force", config, { root_dir = root })
        if vim.lsp.start then
          vim.lsp.start(own)
        else
          start_by_hand(own)
        end
      end
      if type(config.root_dir) == "function" then
        config.root_dir(buffer, start)
      else
        start(config.root_dir)
      end
    end,
  })
end

--- Returns the running clients of this server.
function M.clients()
  local all = vim.lsp.get_clients and vim.lsp.get_clients() or vim.lsp.get_active_clients()
  return vim.tbl_filter(function(client)
    return client.name == "npu_lsp"
  end, all)
end

--- Asks a client and waits for the answer: a table with `result` or `err`, or nil.
function M.request(client, method, params)
  local buffer = vim.api.nvim_get_current_buf()
  if vim.fn.has("nvim-0.11") == 1 then
    return client:request_sync(method, params, 5000, buffer)
  end
  return client.request_sync(method, params, 5000, buffer)
end

return M
