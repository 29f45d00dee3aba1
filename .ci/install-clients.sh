#!/usr/bin/env bash
# Installs the editors that the tests drive, from Debian and the npm registry: install-clients.sh DIR
set -euo pipefail
dir=$1
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$dir"

missing=()
for pair in nvim:neovim emacs:emacs-nox rg:ripgrep chromium:chromium shellcheck:shellcheck zsh:zsh fish:fish gcc:gcc make:make; do
  command -v "${pair%%:*}" > /dev/null || missing+=("${pair##*:}")
done
# A Vim may be there that was built without what its client needs; without the font, pictures show boxes in place of Chinese.
for pair in /usr/share/vim-ale:vim-ale /usr/bin/vim.nox:vim-nox /usr/share/emacs/site-lisp/elpa-src/eglot-*:elpa-eglot \
            /usr/share/emacs/site-lisp/elpa-src/lsp-mode-*:elpa-lsp-mode /usr/share/fonts/truetype/wqy/*:fonts-wqy-zenhei; do
  compgen -G "${pair%%:*}" > /dev/null || missing+=("${pair##*:}")
done
if [ ${#missing[@]} -gt 0 ]; then
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends "${missing[@]}" > "$dir/apt.log"
fi

step() { printf '%s\n' "-- $*"; }

# VS Code's server build with its own extension host. Its install scripts fetch from elsewhere, so they stay off and
# the three native modules are built by hand.
if [ ! -e "$dir/vscode/ready" ]; then
  step "VS Code"
  mkdir -p "$dir/vscode"
  cd "$dir/vscode"
  [ -f package.json ] || echo '{"private":true}' > package.json
  npm install --ignore-scripts --no-audit --no-fund --loglevel=error code-server@4.100.3 playwright-core@1.56.1
  npm rebuild --foreground-scripts argon2 > rebuild.log 2>&1
  cd node_modules/code-server/lib/vscode
  npm install --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error
  npm rebuild --foreground-scripts @vscode/spdlog native-watchdog >> "$dir/vscode/rebuild.log" 2>&1
  mkdir -p node_modules/@vscode/ripgrep/bin
  ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
  ln -sfn node_modules node_modules.asar
  (cd bin/remote-cli && ln -sf code-linux.sh code-server)
  (cd bin/helpers && ln -sf browser-linux.sh browser.sh)
  (cd extensions && npm install --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error)
  touch "$dir/vscode/ready"
fi

# Servers that answer beside ours in one window. That of compose files wants a newer Node from its 0.5 on.
others=(basedpyright@1.40.1 bash-language-server@5.8.1 yaml-language-server@1.21.0
        dockerfile-language-server-nodejs@0.15.0 @microsoft/compose-language-service@0.4.0)
if [ "$(cat "$dir/neighbours/ready" 2> /dev/null)" != "${others[*]}" ]; then
  step "other language servers"
  mkdir -p "$dir/neighbours"
  cd "$dir/neighbours"
  [ -f package.json ] || echo '{"private":true}' > package.json
  npm install --ignore-scripts --no-audit --no-fund --loglevel=error "${others[@]}"
  printf '%s' "${others[*]}" > ready
fi

step "the extension"
cd "$root/editors/vscode"
npm ci --no-audit --no-fund --loglevel=error
npm run --silent package > "$dir/package.log"

step "the extension with the server for this platform"
python3 "$root/.ci/release" --vsix here >> "$dir/package.log"
