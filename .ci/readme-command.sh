#!/usr/bin/env bash
# Prints one of the README's two set-up commands, so that CI runs what users are told to run: readme-command.sh try|test
set -euo pipefail
awk -v wanted="<!-- command: $1 -->" '
  $0 == wanted { found = 1; next }
  found && /^```/ { if (inside) exit; inside = 1; next }
  inside { print }
' "$(dirname "$0")/../README.md"
