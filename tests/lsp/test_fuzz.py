"""A client that does everything it may, and much that it may not, at random.

`NPU_LSP_FUZZ_ROUNDS` and `NPU_LSP_FUZZ_SEED` make it go on for longer, or another way.
"""

from __future__ import annotations

import os
import random
from hashlib import sha256
from typing import Any

from npu_lsp.lsp.features.registrations import REGISTRATIONS
from tests.case_files import case_files
from tests.lsp.test_synchronization import Model
from tests.lsp.wire import Wire

ROUNDS = int(os.environ.get("NPU_LSP_FUZZ_ROUNDS", "120"))
STEPS = 40
"""In a round, which ends with a look at all texts. So many on every machine: what one finds, all find."""
SEED = int(os.environ.get("NPU_LSP_FUZZ_SEED", "1"))

PIECES = (
    'custom_op.parameter_map["precison_mode"].s = tf.compat.as_bytes("force_fp16")\n',
    'parameter_map["', '"].', "NPURunConfig(", "atc --model=a --", "\\\n", "'''", '"""', "(", ")", "\n", "\r\n", "\r", "\t",
    "MODE=a\n", "$MODE", 'os.getenv("', "--additional-config '{\"", "x", "中", "😀", "\u2028", "\x0c", "\x00", "# npu-lsp: ignore", "[NPU101]\n", "if x:\n    ", "export ASC", "${", "`", "EOF\n",
    "<<EOF\n", "```sh\n", "RUN atc ", "- run: |\n    atc ", "{", "[" * 50, "%%bash\n", "f'{", "b\"", "def f(custom_op):\n",
)  # fmt: skip
LANGUAGES = ("python", "shellscript", "markdown", "dockerfile", "yaml", "makefile", "json", "ini", "plaintext", "")
METHODS = (
    *(offer.method for offer in REGISTRATIONS if offer.about == "document"),
    *("textDocument/diagnostic", "textDocument/nonsense", "workspace/symbol"),
)
JUNK: tuple[Any, ...] = (
    None,
    [],
    {},
    1,
    "x",
    {"textDocument": {"uri": "x"}},
    {"uri": 1},
    [[]],
    {"position": {"line": -1}},
)


class Fuzzer:
    """One session and what its texts should be."""

    def __init__(self, wire: Wire, generator: random.Random) -> None:
        self.wire = wire
        self.random = generator
        self.models: dict[str, Model] = {}
        self.versions: dict[str, int] = {}
        self.samples = [path.read_text(encoding="utf-8") for path in case_files("clean", "broken")]
        self.number = 0

    def step(self) -> None:
        """Do one thing."""
        actions = (
            self.change,
            self.change,
            self.change,
            self.ask,
            self.ask,
            self.open,
            self.close,
            self.confuse,
            self.cancel,
        )
        self.random.choice(actions)()

    def open(self) -> None:
        """Open a document, perhaps one that is open."""
        self.number += 1
        uri = f"untitled:fuzz{self.random.randrange(8)}.py"
        text = (
            self.random.choice(self.samples)
            if self.random.random() < 0.7
            else "".join(self.random.choices(PIECES, k=30))
        )
        self.models[uri] = Model(text, "utf-16")
        self.versions[uri] = 1
        self.wire.open(uri, text, self.random.choice(LANGUAGES))

    def close(self) -> None:
        """Close a document, perhaps one that isn't open."""
        uri = f"untitled:fuzz{self.random.randrange(8)}.py"
        self.models.pop(uri, None)
        self.wire.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def change(self) -> None:
        """Edit a text: anywhere in it or beyond its end, one edit or several."""
        if not self.models:
            self.open()
        uri = self.random.choice(list(self.models))
        model = self.models[uri]
        changes = []
        for _ in range(self.random.choice((1, 1, 1, 4))):
            start, end = self.place(model), self.place(model)
            if self.random.random() < 0.8:
                end = (start[0], start[1] + self.random.randrange(4))
            text = "" if self.random.random() < 0.3 else self.random.choice(PIECES)
            model.edit(start, end, text)
            places = {"start": _position(start), "end": _position(end)}
            changes.append({"range": places, "text": text})
        self.versions[uri] += self.random.choice((1, 1, 1, 5, 0, -1))
        self.wire.change(uri, self.versions[uri], *changes)

    def place(self, model: Model) -> tuple[int, int]:
        """Return a position, most often one that there is."""
        if self.random.random() < 0.05:
            return (self.random.choice((0, 10**6)), self.random.choice((0, 10**6)))
        return (self.random.randrange(model.text.count("\n") + 2), self.random.randrange(60))

    def ask(self) -> None:
        """Request something about a document, perhaps one that isn't open."""
        uri = f"untitled:fuzz{self.random.randrange(8)}.py"
        model = self.models.get(uri, Model("", "utf-16"))
        place = _position(self.place(model))
        params = {
            "textDocument": {"uri": uri},
            "position": place,
            "positions": [place],
            "newName": self.random.choice(("x", "1", "中", "MODE")),
            "query": self.random.choice(("", "model", "HCCL")),
            "range": {"start": place, "end": _position(self.place(model))},
            "context": {
                "diagnostics": [],
                "only": self.random.choice((None, ["quickfix"], ["source.fixAll"], ["refactor"])),
                "includeDeclaration": self.random.choice((True, False)),
            },
        }
        self.wire.begin(self.random.choice(METHODS), params)

    def cancel(self) -> None:
        """Cancel a request: one that waits, one that is answered, one that never was."""
        self.wire.notify("$/cancelRequest", {"id": self.random.randrange(1, 5000)})

    def confuse(self) -> None:
        """Send something that makes no sense."""
        method = self.random.choice(
            ("textDocument/didOpen", "workspace/didChangeConfiguration", "$/x", "initialized", "no")
        )
        if self.random.random() < 0.5:
            self.wire.notify(method, self.random.choice(JUNK))
        else:
            self.wire.begin(self.random.choice((method, "initialize", "textDocument/hover")), self.random.choice(JUNK))

    def check(self) -> None:
        """Compare every text, and see that the server still answers in time."""
        for uri, model in self.models.items():
            facts = self.wire.status(uri)["document"]
            assert facts["digest"] == sha256(model.text.encode("utf-8", "surrogatepass")).hexdigest()


def test_a_client_that_does_everything() -> None:
    generator = random.Random(SEED)
    with Wire() as wire:
        wire.initialize(
            {
                "textDocument": {
                    "publishDiagnostics": {"versionSupport": True, "relatedInformation": True},
                    "semanticTokens": {},
                    "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
                },
                "workspace": {"configuration": True},
            },
            initializationOptions={
                "select": [],
                "codeLens": True,
                "semanticHighlighting": True,
                "inlayHints": {"defaults": True, "overrides": True},
            },
        )
        fuzzer = Fuzzer(wire, generator)
        for _ in range(ROUNDS):
            for _ in range(STEPS):
                fuzzer.step()
            fuzzer.check()
        answers = [m.get("id") for m in wire.seen if "method" not in m]
        assert len(answers) == len(set(answers)), "a request was answered twice"
        failed = [
            m["params"]["message"] for m in wire.messages("window/logMessage") if "Traceback" in m["params"]["message"]
        ]
        assert failed == []
        assert wire.messages("window/showMessage") == []
        assert wire.leave() == 0


def _position(place: tuple[int, int]) -> dict[str, int]:
    return {"line": place[0], "character": place[1]}
