#!/usr/bin/env bash
# Prints one of the README's two set-up commands, so that CI runs what users are told to run: readme-command.sh try|test
set -euo pipefail
awk -v wanted="<!-- command: $1 -->" '
  $0 == wanted { found = 1; next }
  found && /^```/ { if (inside) exit; inside = 1; next }
  inside { print; printed = 1 }
  END { if (!printed) { print "no command: " wanted > "/dev/stderr"; exit 1 } }
' "$(dirname "$0")/../README.md"
