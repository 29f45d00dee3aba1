"""Edits somebody's files as editors do, and makes each code action: `python -m tests.robustness.attack FOLDER ... --files 3000 --seed 1`.

Half of the files stand in a workspace folder whose target is one product, half in one whose target is another. After its edits
a file gets the diagnostics that it gets when it is opened, and each action on each of them leaves a text that other parsers take as
before. Notebooks are edited cell by cell. The files themselves stay as they are. Of each hundred files a line says what was done.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from npu_lsp.languages.detection import detect
from npu_lsp.languages.registry import BY_KIND
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from tests.lsp.wire import Wire
from tests.robustness.aimed import aimed
from tests.robustness.texts import edit

_LARGEST = 200_000
_EDITS = 19
"""So many edits a text gets at most: ten, one with another."""
_ACTIONS = 200
"""So many actions of one file are made."""
_TARGETS = {"a2": 'cann = "8.0"\nproducts = ["a2"]', "a3": 'cann = "8.5"\nproducts = ["a3"]\nvllm-ascend = "0.13.0"'}
_CAPABILITIES: dict[str, Any] = {
    "workspace": {"workspaceEdit": {"documentChanges": True}, "workspaceFolders": True},
    "notebookDocument": {"synchronization": {}},
    "textDocument": {
        "diagnostic": {},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor", "source"]}},
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        },
    },
}


class Part(NamedTuple):
    """One text that is open: a whole file, or a cell of a notebook."""

    uri: str
    text: str
    kind: Kind

    def with_text(self, text: str) -> Part:
        """Return it with another text."""
        return self._replace(text=text)


class Attack:
    """One server, and all that is done to it."""

    def __init__(self, wire: Wire, roots: list[Path], seed: int) -> None:
        self.wire = wire
        self.roots = roots
        self.rng = random.Random(f"attack {seed}")
        self.wrong: list[str] = []
        self.done = Counter[str]()
        self._number = 0

    def told(self) -> str:
        """Return how often what was done, and what is wrong so far."""
        done = ", ".join(f"{count} {what}" for what, count in sorted(self.done.items()))
        return "\n".join([*self.wrong, f"{done}; {len(self.wrong)} wrong"])

    def file(self, path: Path, text: str) -> None:
        """Edit one file in one of the workspace folders; note what is wrong."""
        kind = detect(path.name, text)
        name = f"{self._next()}/{path.name}"
        root = self.rng.choice(self.roots)
        if kind is Kind.NOTEBOOK:
            self._notebook(root / name, text)
            return
        if kind is Kind.OTHER:
            return
        part = Part((root / name).as_uri(), text, kind)
        self._open(part)
        part = self._edited(part, lambda change, version: self.wire.change(part.uri, version, change))
        again = part._replace(uri=(root / f"again/{name}").as_uri())
        self._open(again)
        told, fresh = self._diagnostics(part), self._diagnostics(again)
        if told != fresh:
            self.wrong.append(f"{path}: edited {told}\n opened {fresh}\n text {part.text!r}")
        self._make_actions(path, [part], part, told)
        for each in (part, again):
            self.wire.notify("textDocument/didClose", {"textDocument": {"uri": each.uri}})
        self.done[f"{kind.value} files"] += 1

    def _notebook(self, path: Path, text: str) -> None:
        try:
            cells = [
                "".join(c["source"]) if isinstance(c["source"], list) else str(c["source"])
                for c in json.loads(text)["cells"]
                if c["cell_type"] == "code"
            ]
        except (ValueError, KeyError, TypeError):
            return
        uri = path.as_uri()
        parts = [Part(f"{uri}#c{n}", each, Kind.PYTHON) for n, each in enumerate(cells[:40])]
        if not parts:
            return
        self._open_notebook(uri, parts)
        version = 1
        for number, part in self.rng.sample(list(enumerate(parts)), min(4, len(parts))):

            def change(made: dict[str, Any], _: int, part: Part = part) -> None:
                nonlocal version
                version += 1
                text_content = [{"document": {"uri": part.uri, "version": version}, "changes": [made]}]
                self.wire.notify(
                    "notebookDocument/didChange",
                    {
                        "notebookDocument": {"uri": uri, "version": version},
                        "change": {"cells": {"textContent": text_content}},
                    },
                )

            parts[number] = self._edited(part, change)
        again = path.with_name("again-" + path.name).as_uri()
        copies = [part._replace(uri=part.uri.replace(uri, again)) for part in parts]
        self._open_notebook(again, copies)
        for part, copy in zip(parts, copies, strict=True):
            told, fresh = self._diagnostics(part), self._diagnostics(copy)
            if told != fresh:
                self.wrong.append(f"{part.uri}: edited {told}\n opened {fresh}\n cells {[p.text for p in parts]!r}")
            self._make_actions(path, parts, part, told)
        for each, opened in ((uri, parts), (again, copies)):
            closed = [{"uri": part.uri} for part in opened]
            self.wire.notify(
                "notebookDocument/didClose", {"notebookDocument": {"uri": each}, "cellTextDocuments": closed}
            )
        self.done["notebooks"] += 1

    def _next(self) -> int:
        self._number += 1
        return self._number

    def _open(self, part: Part) -> None:
        self.wire.open(part.uri, part.text, (*BY_KIND[part.kind].editor_ids, "plaintext")[0])

    def _open_notebook(self, uri: str, parts: list[Part]) -> None:
        document: dict[str, Any] = {"uri": uri, "notebookType": "jupyter-notebook", "version": 1}
        document["cells"] = [{"kind": 2, "document": part.uri} for part in parts]
        texts = [{"uri": p.uri, "languageId": "python", "version": 1, "text": p.text} for p in parts]
        self.wire.notify("notebookDocument/didOpen", {"notebookDocument": document, "cellTextDocuments": texts})

    def _edited(self, part: Part, send: Callable[[dict[str, Any], int], None]) -> Part:
        for number in range(self.rng.randrange(1, _EDITS + 1)):
            document = Document(part.text, kind=part.kind)
            close = self.rng.random() < 0.3 and len(part.text) < 20_000
            start, end, new = aimed(self.rng, document) if close else edit(self.rng, part.text)
            start, end = (_between_line_ends(part.text, each) for each in (start, end))
            first, last = (_place(document.position(each, "utf-16")) for each in (start, end))
            new = new.encode("utf-8", "replace").decode()
            part = part.with_text(part.text[:start] + new + part.text[end:])
            send({"range": {"start": first, "end": last}, "text": new}, number + 2)
            self.done["edits"] += 1
            if self.rng.random() < 0.4:
                method = self.rng.choice(("hover", "completion", "definition", "documentSymbol", "inlayHint"))
                about: dict[str, Any] = {"textDocument": {"uri": part.uri}}
                if method == "inlayHint":
                    about["range"] = {"start": first, "end": last}
                elif method != "documentSymbol":
                    about["position"] = first
                self.wire.request(f"textDocument/{method}", about)
                self.done["requests"] += 1
        return part

    def _diagnostics(self, part: Part) -> list[dict[str, Any]]:
        answer = self.wire.request("textDocument/diagnostic", {"textDocument": {"uri": part.uri}})
        self.done["requests"] += 1
        items: list[dict[str, Any]] = answer["result"]["items"]
        return [{key: value for key, value in item.items() if key != "data"} for item in items]

    def _make_actions(self, path: Path, parts: list[Part], part: Part, told: list[dict[str, Any]]) -> None:
        before = _parses(part)
        made = 0
        for diagnostic in told:
            self.done["findings"] += 1
            about = {"textDocument": {"uri": part.uri}, "range": diagnostic["range"]}
            answer = self.wire.request("textDocument/codeAction", {**about, "context": {"diagnostics": [diagnostic]}})
            for action in answer["result"] or ():
                if made >= _ACTIONS:
                    self.done["files with more actions"] += 1
                    return
                if "edit" not in action and "data" in action:
                    action = self.wire.request("codeAction/resolve", action)["result"]
                if not (edit := action.get("edit")):
                    continue
                made += 1
                self.done["actions"] += 1
                for change in edit["documentChanges"]:
                    text_of = {each.uri: each for each in parts}
                    if not (changed := text_of.get(change.get("textDocument", {}).get("uri"))):
                        continue
                    after = changed.with_text(_applied(changed, change["edits"]))
                    if after.text == changed.text:
                        self.wrong.append(f"{path}: {action['title']} changes nothing: {changed.text!r}")
                    if (before if changed is part else _parses(changed)) and not _parses(after):
                        self.wrong.append(f"{path}: {action['title']} breaks {changed.text!r}\n into {after.text!r}")


def _applied(part: Part, edits: list[dict[str, Any]]) -> str:
    document, text = Document(part.text, kind=part.kind), part.text
    places = []
    for each in edits:
        start, end = (
            document.offset(each["range"][side]["line"], each["range"][side]["character"], "utf-16")
            for side in ("start", "end")
        )
        places.append((start, end, each["newText"]))
    for start, end, new in sorted(places, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _parses(part: Part) -> bool:
    """Return whether a parser that isn't ours takes the text; true where we know none."""
    try:
        if part.kind is Kind.PYTHON:
            ast.parse(part.text.removeprefix("\ufeff"))
        elif part.kind is Kind.SHELL:
            script = part.text.encode("utf-8", "replace")
            done = subprocess.run(
                ["bash", "-n"], input=script, capture_output=True, check=False, env={**os.environ, "LC_ALL": "C"}
            )
            # It says 0 of an error in `[[ ... ]]`, behind which it reads on.
            return done.returncode == 0 and b"syntax error" not in done.stderr
        elif part.kind is Kind.JSON:
            json.loads(part.text)
        elif part.kind is Kind.YAML:
            list(yaml.compose_all(part.text))
    except (SyntaxError, ValueError, RecursionError, MemoryError, yaml.YAMLError):
        return False
    return True


def _between_line_ends(text: str, offset: int) -> int:
    return offset - 1 if text[max(0, offset - 1) : offset + 1] == "\r\n" else offset


def _place(position: tuple[int, int]) -> dict[str, int]:
    return {"line": position[0], "character": position[1]}


def _files(folders: list[Path], rng: random.Random, count: int) -> Iterator[tuple[Path, str]]:
    """Yield so many files that may hold settings, drawn by lot."""
    every = sorted(path for folder in folders for path in folder.rglob("*") if ".git" not in path.parts)
    rng.shuffle(every)
    for path in every:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > _LARGEST:
            continue
        try:
            text = path.read_bytes().decode()
        except (OSError, UnicodeDecodeError):
            continue
        if detect(path.name, text) is Kind.OTHER:
            continue
        # A file that names nothing of ours is drawn one time in five.
        if not any(word in text for word in ("ASCEND", "HCCL", "npu", "NPU", "atc", "vllm")) and rng.random() < 0.8:
            continue
        yield path, text
        if not (count := count - 1):
            return


def run(files: Iterable[tuple[Path, str]], seed: int) -> tuple[Attack, int]:
    """Attack a server with files; return what came of it, and the server's exit code."""
    with tempfile.TemporaryDirectory() as space, Wire() as wire:
        roots = [Path(space, name) for name in _TARGETS]
        for root in roots:
            root.mkdir()
            (root / "npu-lsp.toml").write_text(f"[target]\n{_TARGETS[root.name]}\n")
        folders = [{"uri": root.as_uri(), "name": root.name} for root in roots]
        wire.initialize(_CAPABILITIES, workspaceFolders=folders, initializationOptions={"select": ["ALL"]})
        attack = Attack(wire, roots, seed)
        for number, (path, text) in enumerate(files, 1):
            attack.file(path, text)
            wire.seen.clear()
            if number % 100 == 0:
                print(attack.told(), flush=True)
        return attack, wire.leave()


def main() -> None:
    """Attack, print what was done and what is wrong, and exit with 1 where something is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(f"files {arguments.seed}")
    begun = time.monotonic()
    attack, code = run(_files(arguments.folders, rng, arguments.files), arguments.seed)
    print(attack.told(), f"exit code {code}, {time.monotonic() - begun:.0f} s", sep="\n")
    # What looked at no file has found nothing out.
    raise SystemExit(1 if attack.wrong or code or not attack.done["edits"] else 0)


if __name__ == "__main__":
    main()
