"""What is found is completed: wherever a reader finds a setting, its name and its value can be completed while they are typed."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.languages import read
from npu_lsp.languages.completion_context import CompletionContext, CompletionKind
from npu_lsp.languages.half_typed import completed_at
from npu_lsp.languages.model import Setting
from npu_lsp.rules import all_rules
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_NAMES = (CompletionKind.KEY, CompletionKind.FLAG)


class Form(NamedTuple):
    """How a host sets a variable; `{name}` and `{value}` are filled in."""

    kind: Kind
    text: str
    takes: Callable[[str], bool] = lambda _value: True
    """Tells whether a value can stand there."""

    breaks: bool = True
    """False: no line of it is ever half there, since a tool writes them."""

    def filled(self, name: str, value: str) -> str:
        return self.text.replace("{name}", name).replace("{value}", value)


def _plain(value: str) -> bool:
    return value.replace("_", "").replace(".", "").replace("/", "").replace(":", "").isalnum()


def _cell(line: str) -> str:
    return json.dumps({"cells": [{"cell_type": "code", "source": [line]}]})


FORMS = {
    "an export": Form(Kind.SHELL, "export {name}={value}\npython3 train.py\n", _plain),
    "an export in quotes": Form(Kind.SHELL, 'export {name}="{value}"\npython3 train.py\n'),
    "in front of a program": Form(Kind.SHELL, "{name}={value} python3 train.py\n", _plain),
    "second in front of a program": Form(Kind.SHELL, "A=1 {name}={value} python3 train.py\n", _plain),
    "a word of env": Form(Kind.SHELL, "env {name}={value} python3 train.py\n", _plain),
    "docker run -e": Form(Kind.SHELL, "docker run -e {name}={value} image\n", _plain),
    "docker run -e, quoted": Form(Kind.SHELL, 'docker run -e "{name}={value}" image\n'),
    "docker run --env=": Form(Kind.SHELL, "docker run --env={name}={value} image\n", _plain),
    "docker run over lines": Form(Kind.SHELL, "docker run --rm \\\n  -e {name}={value} \\\n  image\n", _plain),
    "mpirun -x": Form(Kind.SHELL, "mpirun -n 8 -x {name}={value} python3 train.py\n", _plain),
    "srun --export": Form(Kind.SHELL, "srun --export=ALL,{name}={value} python3 train.py\n", _plain),
    "kubectl set env": Form(Kind.SHELL, "kubectl set env deployment/x {name}={value}\n", _plain),
    "os.environ": Form(Kind.PYTHON, 'import os\nos.environ["{name}"] = "{value}"\n'),
    "os.putenv": Form(Kind.PYTHON, 'import os\nos.putenv("{name}", "{value}")\n'),
    "os.environ.setdefault": Form(Kind.PYTHON, 'import os\nos.environ.setdefault("{name}", "{value}")\n'),
    "os.environ.update": Form(Kind.PYTHON, 'import os\nos.environ.update({"{name}": "{value}"})\n'),
    "os.environ.update with keywords": Form(Kind.PYTHON, 'import os\nos.environ.update({name}="{value}")\n'),
    "a dict handed on": Form(
        Kind.PYTHON, 'import subprocess\nenv = {\n    "{name}": "{value}",\n}\nsubprocess.run(["x"], env=env)\n'
    ),
    "a copy of the environment": Form(
        Kind.PYTHON,
        'import os, subprocess\nenv = os.environ.copy()\nenv["{name}"] = "{value}"\nsubprocess.run(["x"], env=env)\n',
    ),
    "Ray's runtime_env": Form(Kind.PYTHON, 'import ray\nray.init(runtime_env={"env_vars": {"{name}": "{value}"}})\n'),
    "monkeypatch": Form(Kind.PYTHON, 'def test(monkeypatch):\n    monkeypatch.setenv("{name}", "{value}")\n'),
    "%env": Form(Kind.NOTEBOOK, _cell("%env {name}={value}"), _plain, breaks=False),
    "%env with a blank": Form(Kind.NOTEBOOK, _cell("%env {name} {value}"), _plain, breaks=False),
    "%env in a cell that an editor shows": Form(Kind.NOTEBOOK, "%env {name}={value}\n", _plain),
    "a cell": Form(Kind.NOTEBOOK, 'import os\nos.environ["{name}"] = "{value}"\n'),
    "a notebook's cell": Form(Kind.NOTEBOOK, _cell("import os; os.environ['{name}'] = '{value}'"), breaks=False),
    ".env": Form(Kind.DOTENV, "A=1\n{name}={value}\nB=2\n", _plain),
    ".env with export": Form(Kind.DOTENV, "export {name}={value}\n", _plain),
    ".env in quotes": Form(Kind.DOTENV, '{name}="{value}"\n'),
    "a patch": Form(
        Kind.PATCH,
        "--- a/x.sh\n+++ b/x.sh\n@@ -1,2 +1,2 @@\n set -e\n-export A=1\n+export {name}={value}\n",
        _plain,
        breaks=False,
    ),
    "ENV": Form(Kind.DOCKERFILE, "FROM x\nENV {name}={value}\n", _plain),
    "ENV in quotes": Form(Kind.DOCKERFILE, 'FROM x\nENV {name}="{value}"\n'),
    "ENV in the old form": Form(Kind.DOCKERFILE, "FROM x\nENV {name} {value}\n", _plain),
    "ENV over lines": Form(Kind.DOCKERFILE, "FROM x\nENV A=1 \\\n    {name}={value}\n", _plain),
    "RUN": Form(Kind.DOCKERFILE, "FROM x\nRUN export {name}={value} && python3 x.py\n", _plain),
    "RUN in front of a program": Form(Kind.DOCKERFILE, "FROM x\nRUN {name}={value} python3 x.py\n", _plain),
    "a makefile's export": Form(Kind.MAKEFILE, "export {name} := {value}\n", _plain),
    "a recipe": Form(Kind.MAKEFILE, "all:\n\t{name}={value} python3 x.py\n", _plain),
    "tox.ini": Form(Kind.INI, "[testenv]\nsetenv =\n    {name} = {value}\n", _plain),
    "pytest.ini": Form(Kind.INI, "[pytest]\nenv =\n    D:{name}={value}\n", _plain),
    "compose, a mapping": Form(
        Kind.YAML, 'services:\n  a:\n    environment:\n      A: "1"\n      {name}: {value}\n    image: x\n', _plain
    ),
    "compose, a mapping in quotes": Form(
        Kind.YAML, 'services:\n  a:\n    image: x\n    environment:\n      {name}: "{value}"\n'
    ),
    "compose, a list": Form(
        Kind.YAML, "services:\n  a:\n    environment:\n      - {name}={value}\n    image: x\n", _plain
    ),
    "compose, a list in quotes": Form(
        Kind.YAML, 'services:\n  a:\n    environment:\n      - "{name}={value}"\n    image: x\n'
    ),
    "Kubernetes": Form(Kind.YAML, 'env:\n- name: {name}\n  value: "{value}"\n- name: OTHER\n  value: "1"\n'),
    "Kubernetes without quotes": Form(Kind.YAML, "    env:\n      - name: {name}\n        value: {value}\n", _plain),
    "Kubernetes in quotes": Form(Kind.YAML, '    env:\n      - name: "{name}"\n        value: "{value}"\n'),
    "Kubernetes in braces": Form(Kind.YAML, 'env:\n- {name: {name}, value: "{value}"}\n'.replace("{name:", "{ name:")),
    "GitHub": Form(Kind.YAML, "jobs:\n  a:\n    env:\n      {name}: {value}\n    steps: []\n", _plain),
    "GitLab": Form(Kind.YAML, 'variables:\n  {name}: "{value}"\n\njob:\n  script: [x]\n'),
    "a mapping on one line": Form(Kind.YAML, 'env: {A: "1", {name}: "{value}"}\n'),
    "a step": Form(Kind.YAML, "steps:\n  - run: |\n      export {name}={value}\n      python3 x.py\n", _plain),
    "launch.json": Form(
        Kind.JSON, '{\n  // started by F5\n  "configurations": [{"type": "python", "env": {"{name}": "{value}"}}]\n}\n'
    ),
    "settings.json": Form(Kind.JSON, '{"terminal.integrated.env.linux": {"A": "1", "{name}": "{value}"}}\n'),
    "devcontainer.json": Form(Kind.JSON, '{"containerEnv": {"{name}": "{value}"}, "image": "x"}\n'),
    "a list in JSON": Form(Kind.JSON, '{"Env": ["{name}={value}"]}\n'),
    "names and values in JSON": Form(Kind.JSON, '{"env": [{"name": "{name}", "value": "{value}"}]}\n'),
    "a fence": Form(Kind.MARKDOWN, "# x\n\n```bash\nexport {name}={value}\n```\n", _plain),
    "a fence of Python": Form(Kind.MARKDOWN, '```python\nimport os\nos.environ["{name}"] = "{value}"\n```\n'),
    "a fence of YAML": Form(Kind.MARKDOWN, "```yaml\nenv:\n  {name}: {value}\n```\n", _plain),
    "a fence of JSON": Form(Kind.MARKDOWN, '```json\n{"env": {"{name}": "{value}"}}\n```\n'),
}


@cache
def variables() -> tuple[tuple[str, str], ...]:
    """Return the variables that the examples of the rules set, each with one known value."""
    found: dict[str, str] = {}
    for text, kind in examples():
        for setting in read(Document(text, kind=kind)).settings:
            said = setting.value.data
            if (
                setting.surface is Surface.ENV
                and isinstance(said, str)
                and said
                and set(said).isdisjoint("\"'\\{}$\n ")
            ):
                found.setdefault(setting.name, said)
    known = load().names(Surface.ENV)
    return tuple(item for item in found.items() if item[0] in known)


@cache
def examples() -> dict[tuple[str, Kind], None]:
    every = [(e.text, e.kind) for rule in all_rules() for e in rule.invalid]
    every += [(e.text, e.kind) for rule in all_rules() for e in rule.valid]
    return dict.fromkeys(every)


def the_setting(text: str, kind: Kind, name: str) -> Setting | None:
    return next((s for s in read(Document(text, kind=kind)).settings if s.name == name), None)


def asked(front: str, rest: str, kind: Kind) -> CompletionContext | None:
    """Return what is completed between two parts of a text."""
    return completed_at(Document(front + rest, kind=kind), len(front))


def _closed(sign: str, behind: str) -> str:
    """Return what an editor has closed behind a name with `sign` in front of it: its quote, and the brackets at the line's end."""
    brackets = re.search(r"[^\w\"']*\Z", behind)
    return sign.strip("({[= -,:") + "".join(each for each in (brackets.group() if brackets else "") if each in "]})")


def _completes_name(found: CompletionContext | None, typed: str) -> bool:
    return found is not None and found.wanted in _NAMES and found.surface is Surface.ENV and found.typed == typed


def _completes_value(found: CompletionContext | None, name: str, typed: str) -> bool:
    return found is not None and found.wanted is CompletionKind.VALUE and found.option == name and found.typed == typed


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_variables_are_completed_where_they_are_found(form: Form) -> None:
    missed: list[str] = []
    every = [(name, value) for name, value in variables() if form.takes(value)]
    for name, value in every:
        text = form.filled(name, value)
        setting = the_setting(text, form.kind, name)
        assert setting is not None, text
        start, end = setting.key
        half = start + len(name) * 2 // 3
        typed = name[: half - start]
        last = text.find("\n", end)
        behind = text[end : last if last >= 0 else len(text)]
        # The rest of the name is still to be typed; so are the sign and the value, whether an editor has closed what is open or not.
        below = text[end + len(behind) :]
        rests = [text[end:], _closed(text[start - 1 : start].strip(), behind) + below, below]
        missed += [
            f"a name: {text[:half]}|{rest}"
            for rest in (rests if form.breaks else rests[:1])
            if not _completes_name(asked(text[:half], rest, form.kind), typed)
        ]
        inside = setting.value.inside
        missed += [
            f"a value: {text[:at]}|{text[inside.end :]}"
            for at in (inside.start + len(value) // 2, inside.start)
            if not _completes_value(asked(text[:at], text[inside.end :], form.kind), name, value[: at - inside.start])
        ]
    assert every
    assert not missed, f"{len(missed)} misses, such as\n" + "\n".join(missed[:4])


_BY_ITSELF = (
    # What tells the file, the mapping or the command for what it is is the name that is still to be typed.
    *(
        "\n  device_target: Ascend",
        "bench.py --additional",
        "--port 8000",
        "args:\n  - --additional",
        '- "--additional',
        '"hybrid_instances_num": 1,\n  "tls_config": { ... }',
    ),
    # No template and no quote of the shell is closed there.
    *("%%CONFIG", 'a".onnx'),
    # Devices, images and versions that nobody lists.
    *(
        "docker run a.b/vllm-ascen",
        "docker run --device /dev/d",
    ),
    # Nothing else of the page is about NPUs.
    *("pip install torch-==2.5.1", "```sh\npip install vllm-as=="),
)
"""What stands in front of, or behind, a cursor in the examples of rules where nothing is completed."""


def test_what_examples_set_is_completed() -> None:
    missed: list[str] = []
    excused: Counter[str] = Counter()
    asked_for = 0
    for text, kind in examples():
        for setting in read(Document(text, kind=kind)).settings:
            if load().option(setting.surface, setting.name) is None:
                continue
            for part, span in (("name", setting.key), ("value", setting.value.content)):
                said = text[slice(*span)] if span is not None else ""
                if (
                    span is None
                    or len(said) < 4
                    or "\n" in said
                    or "$" in said
                    or (part == "value" and span < setting.key)
                    # A value that stands alone is no name.
                    or (part == "name" and span == setting.value.span)
                ):
                    continue
                at = span.start + len(said) * 2 // 3
                found = asked(text[:at], text[span.end :], kind)
                asked_for += 1
                # JSON in a value is completed as JSON is.
                right = found is not None and (found.wanted in _NAMES or "{" in said if part == "name" else True)
                apart = [] if right else [each for each in _BY_ITSELF if each in text[:at] + text[span.end :]]
                excused.update(apart)
                if not right and not apart:
                    missed.append(f"a {part}: {text[:at]}|{text[span.end :]}")
    assert asked_for > len(examples())
    # No excuse is there for nothing, and all of them together are for hardly anything.
    assert excused.keys() == set(_BY_ITSELF)
    assert excused.total() < asked_for / 200
    assert not missed, f"{len(missed)} of {asked_for}\n" + "\n".join(missed[:10])


_MANY = {
    "compose": (
        Kind.YAML,
        "services:\n  a:\n    environment:\n",
        '      A{}: "1"\n',
        "      HCCL_BUF|\n    image: x\n",
    ),
    "Kubernetes": (Kind.YAML, "containers:\n- env:\n", '  - name: A{}\n    value: "1"\n', "  - name: HCCL_BUF|\n"),
    "launch.json": (Kind.JSON, '{\n  "env": {\n', '    "A{}": "1",\n', '    "HCCL_BUF|"\n  }\n}\n'),
    "tox.ini": (Kind.INI, "[testenv]\nsetenv =\n", "    A{} = 1\n", "    HCCL_BUF|\n"),
    "a fence": (Kind.MARKDOWN, "```yaml\nenv:\n", '  A{}: "1"\n', "  HCCL_BUF|\n```\n"),
    "a dict": (Kind.PYTHON, "import x\nenv = {\n", '    "A{}": "1",\n', '    "HCCL_BUF|"\n}\nx.run(env=env)\n'),
    "an export": (Kind.SHELL, "set -e\n", "echo {}\n", "docker run -e HCCL_BUF|\n"),
}


@pytest.mark.parametrize("case", _MANY.values(), ids=_MANY)
def test_what_a_place_is_may_stand_far_above(case: tuple[Kind, str, str, str]) -> None:
    kind, begins, line, ends = case
    front, _, rest = (begins + "".join(line.format(n) for n in range(300)) + ends).partition("|")
    found = asked(front, rest, kind)
    assert _completes_name(found, "HCCL_BUF")
    assert found is not None
    assert found.replace == (len(front) - len("HCCL_BUF"), len(front))


_OBJECTS = {
    "a mapping": "additional_config:\n  {name}: {value}\n",
    "a mapping with dashes in its name": "additional-config:\n  {name}: {value}\nmodel: x\n",
    "a mapping in quotes": '"additional_config":\n  "{name}": {value}\n',
    "below another key": "additional_config:\n  enable_cpu_binding: true\n  {name}: {value}\nmodel: x\n",
    "engine_kwargs": "rollout:\n  engine_kwargs:\n    vllm:\n      additional_config:\n        {name}: {value}\n",
    "an item": "runs:\n  - model: x\n    additional_config:\n      {name}: {value}\n",
    "the first key of an item": "runs:\n  - additional_config:\n      {name}: {value}\n    model: x\n",
    "in braces": "additional_config: {{name}: {value}}\n",
    "second in braces": "additional_config: {enable_cpu_binding: true, {name}: {value}}\n",
    "braces over lines": "additional_config: {\n  enable_cpu_binding: true,\n  {name}: {value}\n}\n",
    "in braces and quotes": 'additional_config: {"{name}": {value}}\n',
    "in braces in braces": "engine_kwargs: {vllm: {additional_config: {{name}: {value}}}}\n",
    "JSON in quotes": "additional_config: '{\"{name}\": {value}}'\n",
    "JSON in a block": 'additional_config: >-\n  {"{name}": {value}}\n',
    "a fence": "```yaml\nadditional_config:\n  {name}: {value}\n```\n",
}
"""Where YAML gives vLLM-Ascend's own argument, with `{name}` and `{value}` to be filled in."""


@pytest.mark.parametrize("form", _OBJECTS.values(), ids=_OBJECTS)
def test_keys_and_values_of_an_object_in_yaml(form: str) -> None:
    """Each key of the catalog, half typed and not begun, with its value and without; and each value."""
    kind = Kind.MARKDOWN if form.startswith("```") else Kind.YAML
    missed = []
    for option in load().options(Surface.ADDITIONAL_CONFIG):
        group, _, name = option.name.rpartition(".")
        if group or option.type == "object" or name in form:
            continue
        text = form.replace("{name}", name).replace("{value}", "true")
        setting = next(s for s in read(Document(text, kind=kind)).settings if s.name == name)
        start, end = setting.key
        behind = text[end : setting.value.span.end]
        closers = behind[:1] if behind[:1] in "\"'" else ""
        gone = closers + text[setting.value.span.end :]
        for typed, rest in ((name[:3], text[end:]), (name[:3], gone), ("", gone)):
            found = asked(text[:start] + typed, rest, kind)
            if found is None or found[:2] != (CompletionKind.KEY, Surface.ADDITIONAL_CONFIG) or found.typed != typed:
                missed.append(f"{text[:start]}{typed}|{rest}")
        for typed in ("t", ""):
            found = asked(text[: setting.value.span.start] + typed, text[setting.value.span.end :], kind)
            if not _completes_value(found, name, typed):
                missed.append(f"{text[: setting.value.span.start]}{typed}|")
    assert not missed, f"{len(missed)} misses, such as\n" + "\n".join(missed[:6])


def test_keys_of_an_object_in_an_object_in_yaml() -> None:
    for text in (
        "additional_config:\n  eplb_config:\n    num|",
        "additional_config:\n  eplb_config: {num|}",
        "additional_config: {eplb_config: {dynamic_eplb: true, num|}}",
        "a: {additional_config: {'eplb_config': {'num|'}}}",
        "compilation_config:\n  pass_config:\n    |\n",
    ):
        front, _, rest = text.partition("|")
        found = asked(front, rest, Kind.YAML)
        assert found is not None, text
        assert found.prefix in ("eplb_config.", "compilation_config.pass_config."), text


def test_nothing_is_made_of_what_is_no_setting() -> None:
    for kind, text in (
        (Kind.YAML, "additional_config: ena|\n"),
        (Kind.YAML, "additional_config:\n  - ena|\n"),
        (Kind.YAML, "additional_config:\nena|\n"),
        (Kind.YAML, "foo:\n  |\n"),
        (Kind.YAML, "steps:\n  - name: |\n"),
        (Kind.PYTHON, "x = {'ra|': 1}\n"),
        (Kind.PYTHON, "x = foo('RANK|')\n"),
        (Kind.SHELL, "echo RANK|\n"),
        (Kind.MARKDOWN, "# About\n\nHCCL_BUF|\n"),
        (Kind.JSON, '{"name": "HCCL_BUF|"}\n'),
        (Kind.DOCKERFILE, "FROM HCCL_BUF|\n"),
    ):
        front, _, rest = text.partition("|")
        assert asked(front, rest, kind) is None, text
