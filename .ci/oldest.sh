#!/usr/bin/env bash
# Runs a short part of the tests with the oldest releases that `pyproject.toml` allows, as far as they have wheels for this Python:
# whoever installs has the newest ones, so that nothing else tells when a bound is wrong. It needs what `.ci/run` has set up.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$PWD/build/oldest
releases=$PWD/build/oldest.txt

rm -rf "$folder" "$releases"
.venv/bin/python -m venv "$folder"
pip() { "$folder/bin/python" -m pip --quiet --disable-pip-version-check "$@"; }
pip install uv
"$folder/bin/uv" pip compile --quiet --python "$folder/bin/python" --resolution lowest-direct --only-binary :all: --extra mcp \
  --output-file "$releases" pyproject.toml
grep '==' "$releases"
# Theirs is the last word: what tests need brings no newer one.
pip install --requirement "$releases" --constraint "$releases" pytest pytest-asyncio hypothesis
pip install --no-deps --editable .
"$folder/bin/python" -m pytest --quiet -p no:cacheprovider \
  tests/languages/shell/test_tree.py tests/languages/python/test_concrete.py tests/test_cases.py
