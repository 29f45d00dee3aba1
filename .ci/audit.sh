#!/usr/bin/env bash
# Looks up what users get with npu-lsp among the known vulnerabilities.
# A vulnerability ends it with 1. Where nobody can be asked, or not about all of it, there is no audit: it says so, and ends with 3.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$root/build/audit
python3 -m venv "$folder"

"$folder/bin/python" -m pip install --quiet --target "$folder/packages" --upgrade "$root"
if ! "$folder/bin/python" -m pip install --quiet pip-audit; then
  echo "No audit: pip-audit can't be installed."
  exit 3
fi

report=$folder/report.json
rm -f "$report"
status=0
timeout 300 "$folder/bin/pip-audit" --progress-spinner off --format json --output "$report" --path "$folder/packages" \
  > "$folder/log" 2>&1 || status=$?
if [ ! -s "$report" ]; then
  cat "$folder/log" >&2
  echo "No audit: the list of vulnerabilities can't be had (exit code $status)."
  exit 3
fi
# What pip-audit says of itself ("No known vulnerabilities found") also holds where it asked about nothing: only its report counts.
python3 -I "$root/.ci/audited.py" "$report"
