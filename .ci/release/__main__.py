"""Makes everything that a release consists of, checks each part in a fresh environment, and says what to upload.

`python .ci/release` makes all of it in `build/release`; with `--vsix PLATFORM` or `--wheelhouse PLATFORM`, only that.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build/release"
TOOLS = ("build", "twine", "uv", "hatchling")


def main() -> None:
    """Run in an environment of our own, which has the tools."""
    environment = BUILT / "env"
    python = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if Path(sys.prefix).resolve() != environment.resolve():
        if not python.exists():
            venv.create(environment, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *TOOLS], check=True)
        sys.exit(subprocess.run([python, *sys.argv], check=False).returncode)
    from wheels import PLATFORMS

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vsix", metavar="PLATFORM", choices=[*PLATFORMS, "here", "universal"])
    parser.add_argument("--wheelhouse", metavar="PLATFORM", choices=list(PLATFORMS))
    parser.add_argument("--untagged", action="store_true", help="a trial: no tag has to name the version")
    chosen = parser.parse_args()
    import everything

    if chosen.vsix:
        print(everything.vsix(chosen.vsix))
    elif chosen.wheelhouse:
        print(everything.wheelhouse(chosen.wheelhouse))
    else:
        everything.release(tagged=not chosen.untagged)


main()
