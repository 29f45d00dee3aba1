-- Starts npu-lsp in Neovim. `require("npu_lsp").setup()` works from Neovim 0.7 on; from 0.11 on
-- `vim.lsp.enable("npu_lsp")` does the same with what lsp/npu_lsp.lua returns.

local M = {}

M.filetypes = { "python", "sh", "bash", "zsh", "dockerfile", "markdown", "yaml", "make" }
M.root_markers = { "npu-lsp.toml", ".npu-lsp.toml", "pyproject.toml", ".git" }

-- What the server calls a file type where the two differ.
local LANGUAGE_IDS = { sh = "shellscript", bash = "shellscript", zsh = "shellscript", make = "makefile" }

local function language_id(_, filetype)
  return LANGUAGE_IDS[filetype] or filetype
end

local function notify_once(message)
  if not M.warned then
    M.warned = true
    vim.notify("npu-lsp: " .. message, vim.log.levels.ERROR)
  end
end

--- Returns the client's configuration; `options` win over the defaults.
--- `options.settings.npuLsp` takes the keys of npu-lsp.toml.
function M.config(options)
  return vim.tbl_deep_extend("force", {
    name = "npu_lsp",
    cmd = { vim.env.NPU_LSP_SERVER or "npu-lsp", "serve" },
    filetypes = M.filetypes,
    root_markers = M.root_markers,
    get_language_id = language_id,
    settings = { npuLsp = vim.empty_dict() },
  }, options or {})
end

local function root_of(path)
  local found = vim.fs and vim.fs.find and vim.fs.find(M.root_markers, { upward = true, path = vim.fs.dirname(path) })[1]
  return found and vim.fs.dirname(found) or vim.fn.fnamemodify(path, ":p:h")
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

--- Starts the server for each buffer of a file type that it reads.
function M.setup(options)
  local config = M.config(options)
  if vim.lsp.config and vim.lsp.enable then
    vim.lsp.config("npu_lsp", options or {})
    vim.lsp.enable("npu_lsp")
    return
  end
  local group = vim.api.nvim_create_augroup("npu_lsp", { clear = true })
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    pattern = config.filetypes,
    callback = function(event)
      if vim.bo[event.buf].buftype ~= "" then
        return
      end
      if vim.fn.executable(config.cmd[1]) == 0 then
        notify_once(config.cmd[1] .. " was not found; install it with: pip install npu-lsp")
        return
      end
      local own = vim.tbl_extend("force", config, { root_dir = root_of(vim.api.nvim_buf_get_name(event.buf)) })
      if vim.lsp.start then
        vim.lsp.start(own)
      else
        start_by_hand(own)
      end
    end,
  })
end

return M
