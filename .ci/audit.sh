#!/usr/bin/env bash
# Looks up what users get with npu-lsp among the known vulnerabilities.
# A vulnerability ends it with 1. Where nobody can be asked there is no audit, and it says so.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$root/build/audit
python3 -m venv "$folder"

"$folder/bin/python" -m pip install --quiet --target "$folder/packages" --upgrade "$root"
if ! "$folder/bin/python" -m pip install --quiet pip-audit; then
  echo "No audit: pip-audit can't be installed."
  exit 0
fi

report=$folder/report.json
rm -f "$report"
status=0
timeout 300 "$folder/bin/pip-audit" --progress-spinner off --format json --output "$report" --path "$folder/packages" \
  2> "$folder/log" || status=$?
cat "$folder/log"
if [ ! -s "$report" ]; then
  echo "No audit: the list of vulnerabilities can't be had (exit code $status)."
  exit 0
fi
"$folder/bin/python" - "$report" << 'EOF'
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    packages = json.load(file)["dependencies"]
known = [(p["name"], p["version"], v) for p in packages for v in p.get("vulns", [])]
for name, version, found in known:
    print(f"{name} {version}: {found['id']}, mended in {', '.join(found['fix_versions']) or 'no version'}")
asked = sum("vulns" in package for package in packages)
print(f"{asked} of {len(packages)} packages looked up, {len(known)} vulnerabilities known.")
sys.exit(bool(known))
EOF
