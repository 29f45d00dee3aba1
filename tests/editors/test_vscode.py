"""The VS Code extension, installed from its package and driven in a real VS Code."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from npu_lsp.config.keys import FORM
from npu_lsp.text.toml import parse
from tests.editors.code_server import RUN, free_port, neighbours, visit, wait_for
from tests.editors.texts import PYTHON, SAVED, SHELL
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
SESSION = Path(__file__).with_name("vscode_session")
COMMAND = "atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3"
NAMED = f"{COMMAND} --op_precision_mode=modes.ini"
LISTED = f"{COMMAND} --op_select_implmode=high_precision --optypelist_for_implmode=Gelu\n"
_WORD = "HCCL_BUFFSIZED"
"""It goes on as a name does: the list of words in the text has it."""
_COMPOSE = f"# {_WORD}\nservices:\n  a:\n    image: x\n    environment:\n"
_POD = f"# {_WORD}\napiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - name: a\n      env:\n"
_FOLDED = 'services:\n  a:\n    image: x\n    command: >\n      bash -c "export HCCL_BUFFSIZ=1 &&\n      python x.py"\n'
_NAMES = {"items": {"properties": {"name": {"enum": [_WORD, "HCCL_OTHER"]}}}}
_SCHEMA = {"properties": {"spec": {"properties": {"containers": {"items": {"properties": {"env": _NAMES}}}}}}}
"""What the YAML server lists in a pod, as it does from schemas of what people write."""
TYPED = {
    ("a.sh", f"OLD={_WORD}\n"): ("HCCL_", "export HCCL_"),
    ("b.sh", f"OLD={_WORD}\necho "): ("${HCCL_", '"$HCCL_', '"${HCCL_'),
    ("c.sh", f"OLD={_WORD}\n# additional\nvllm serve m "): ("--additional",),
    (".env", f"# {_WORD}\n"): ("HCCL_",),
    ("docker-compose.yml", _COMPOSE): ("      HCCL_", "      - HCCL_", '      - "HCCL_'),
    ("pod.yaml", _POD): ("        - name: HCCL_", '        - name: "HCCL_'),
    (".github/workflows/a.yml", f"# {_WORD}\non: push\njobs:\n  a:\n    runs-on: x\n    env:\n"): ("      HCCL_",),
    ("Dockerfile", f"# {_WORD}\nFROM x\n"): ("ENV HCCL_", "RUN export HCCL_"),
    ("a.py", f'OLD = "{_WORD}"\nimport os\n'): ('os.environ["HCCL_', "os.getenv('HCCL_"),
    ("a.ipynb", f'OLD = "{_WORD}"\nimport os\n'): ('os.environ["HCCL_', "%env HCCL_"),
    (".vscode/launch.json", f'// {_WORD}\n{{\n  "configurations": [{{"type": "python", "env": {{\n'): ('    "HCCL_',),
}
"""What is typed at the end of which text, of a file of what name."""


def _cell(source: str) -> dict[str, Any]:
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": source}


def _notebook(*sources: str) -> str:
    metadata = {"language_info": {"name": "python"}}
    return json.dumps({"cells": [*map(_cell, sources)], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})


def _typed() -> list[tuple[str, str, str]]:
    """Return the name, the text and what is typed behind it."""
    return [(name, text, letters) for (name, text), every in TYPED.items() for letters in every]


def _project(work: Path) -> Path:
    """Write the files of two folders, and of a third one that is added later; return the workspace's file."""
    folder = work / "project"
    folder.mkdir()
    (folder / "train.py").write_text(PYTHON, encoding="utf-8")
    (folder / "convert.sh").write_text(SHELL, encoding="utf-8")
    (folder / "saved.sh").write_text(SAVED, encoding="utf-8")
    (folder / "named.sh").write_text(f"{NAMED}\n", encoding="utf-8")
    (folder / "modes.ini").write_text("[ByOpType]\nSoftmax=high_precison\n", encoding="utf-8")
    (folder / "my.cfg").touch()
    (folder / "listed").mkdir()
    (folder / "listed/convert.sh").write_text(LISTED, encoding="utf-8")
    (folder / "off").mkdir()
    (folder / "off/convert.sh").write_text("atc --model=a.onnx --soc_verison=Ascend310P3\n", encoding="utf-8")
    (folder / "off/npu-lsp.toml").write_text("# 昇腾\n", encoding="utf-8")
    (folder / "switches").mkdir()
    (folder / "switches/op_precision.ini").write_text("[ByOpType]\nSoftmax=high_precison\n", encoding="utf-8")
    (folder / "switches/closed.sh").write_text(
        "echo 😀昇腾; atc --model=a.onnx --soc_verison=Ascend310P3\n", encoding="utf-8"
    )
    cells = ["".join(PYTHON.splitlines(keepends=True)[:5]), PYTHON.splitlines()[6]]
    (folder / "train.ipynb").write_text(_notebook(*cells), encoding="utf-8")
    (folder / "fresh.ipynb").write_text(_notebook(f'OLD = "{_WORD}"\nimport os\n'), encoding="utf-8")
    for number, (name, text, _) in enumerate(_typed()):
        path = folder / f"typed/{number}/{name}"
        path.parent.mkdir(parents=True)
        path.write_text(_notebook(text) if name.endswith(".ipynb") else text, encoding="utf-8")
    (folder / "env.patch").write_text(
        "--- a/run.sh\n+++ b/run.sh\n@@ -1,2 +1,2 @@\n set -e\n-export A=1\n+export HCCL_BUFFSIZ=200\n",
        encoding="utf-8",
    )
    for name in ("project", "quiet"):
        (work / name).mkdir(exist_ok=True)
        (work / name / "folded.yaml").write_text(_FOLDED, encoding="utf-8")
    for name in ("quiet", "late"):
        (work / name / ".vscode").mkdir(parents=True)
        (work / name / "train.py").write_text(PYTHON, encoding="utf-8")
        (work / name / ".vscode/settings.json").write_text('{"npuLsp.ignore": ["NPU101"]}', encoding="utf-8")
    workspace = work / "all.code-workspace"
    workspace.write_text('{"folders": [{"path": "project"}, {"path": "quiet"}]}', encoding="utf-8")
    return workspace


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory, server: str) -> dict[str, Any]:
    """Return what a session in VS Code saw, with the packaged extension on a workspace of two folders."""
    work = tmp_path_factory.mktemp("vscode")
    workspace = _project(work)
    (work / "npu-lsp").symlink_to(server)
    package = ROOT / "editors/vscode/npu-lsp.vsix"
    typed = [
        {
            "path": str(work / f"project/typed/{number}/{name}"),
            "letters": letters,
            "name": "--additional-config" if letters.startswith("--") else "HCCL_BUFFSIZE",
        }
        for number, (name, _, letters) in enumerate(_typed())
    ]
    (work / "pod.json").write_text(json.dumps(_SCHEMA), encoding="utf-8")
    yaml = {"yaml.schemaStore.enable": False, "yaml.schemas": {(work / "pod.json").as_uri(): "**/pod.yaml"}}
    settings = {"npuLsp.server.path": "~/npu-lsp", **yaml}
    return visit(work, workspace, SESSION / "session.js", package, settings, more={"TYPED": json.dumps(typed)})


def test_a_session_that_lacks_a_module_says_so(tmp_path: Path) -> None:
    """It never began, so nothing else would end the wait for its answers."""
    session = tmp_path / "session.js"
    session.write_text('require("there-is-no-such-module");\nexports.steps = async () => {};\n', encoding="utf-8")
    answers = tmp_path / "answers.json"
    environment = {**os.environ, "SESSION": str(session), "ANSWERS": str(answers)}
    subprocess.run(
        ["node", "-e", f"require({json.dumps(str(RUN))}).run()"], env=environment, check=True, timeout=PATIENCE
    )
    assert "Cannot find module 'there-is-no-such-module'" in json.loads(answers.read_text(encoding="utf-8"))["error"]


def test_a_server_that_ends_before_it_answers_is_started_again(tmp_path: Path) -> None:
    port = free_port()
    started: list[subprocess.Popen[bytes]] = []

    def start() -> subprocess.Popen[bytes]:
        words = ["-c", ""] if not started else ["-m", "http.server", "--bind", "127.0.0.1", str(port)]
        started.append(subprocess.Popen([sys.executable, *words], cwd=tmp_path, stderr=subprocess.DEVNULL))
        return started[-1]

    first = start()
    first.wait(PATIENCE)
    wait_for(f"http://127.0.0.1:{port}/", first, start)
    assert len(started) == 2
    started[-1].kill()
    started[-1].wait()


def test_a_package_that_was_not_made_is_named(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match=r"nowhere\.vsix is missing: bash \.ci/install-clients\.sh"):
        visit(tmp_path, tmp_path, SESSION / "session.js", tmp_path / "nowhere.vsix", {})


def test_findings(answers: dict[str, Any]) -> None:
    assert [(f["line"], f["source"]) for f in answers["findings"] if f["code"] == "NPU101"] == [(7, "npu-lsp")]


def test_hover(answers: dict[str, Any]) -> None:
    assert "use_off_line" in answers["hover"]


def test_fix(answers: dict[str, Any]) -> None:
    assert answers["fixed"] == PYTHON.replace("precison_mode", "precision_mode")


def test_completion(answers: dict[str, Any]) -> None:
    assert "graph_run_mode" in answers["completion"]
    assert answers["documentation"]


def test_shell_fix_writes_the_file(answers: dict[str, Any]) -> None:
    assert {f["line"] for f in answers["shell"] if f["code"] == "NPU301"} == {3, 4}
    assert answers["shellFixed"].endswith('    --op_precision_mode="$(dirname "$0")/op_precision.ini"\n')
    assert answers["ini"] == "[ByOpType]\nSigmoid=high_precision\nSoftmax=high_precision\n"


def test_a_fix_of_an_old_text_leaves_the_new_one_alone(answers: dict[str, Any]) -> None:
    assert answers["typedMeanwhile"] == f"# 昇腾\n{COMMAND}\n"


def test_a_key_that_is_pressed_often_makes_one_fix(answers: dict[str, Any]) -> None:
    assert answers["pressedOften"] == COMMAND.replace("--output=a", "--output=昇腾") + "\n"
    assert answers["switchedOff"] == '# 昇腾\nignore = ["NPU101"]\n'


def test_refactorings_keep_what_is_run(answers: dict[str, Any]) -> None:
    """Each layout of a command is the same words to bash."""
    made = dict(answers["refactorings"])
    assert len(made) >= 2, made
    for title, text in made.items():
        ran = subprocess.run(
            ["bash", "-c", f"atc() {{ printf '%s\\n' \"$@\"; }}\n{text}"], capture_output=True, text=True, check=True
        )
        assert ran.stdout.split() == [
            "--model=a.onnx",
            "--framework=5",
            "--output=昇腾",
            "--soc_version=Ascend310P3",
        ], title


def test_a_code_leads_to_the_page_of_its_rule(answers: dict[str, Any]) -> None:
    assert answers["link"].startswith("command:npuLsp.openRule")
    assert answers["rule"].startswith("# unknown-option")


def test_options_in_the_side_bar(answers: dict[str, Any]) -> None:
    assert "ATC" in answers["surfaces"]
    found = dict(answers["set"])
    assert "finding" in found["--op_select_implmode"]
    assert "places" in found["--op_precision_mode"]
    assert {"ATC", "TensorFlow 1 session (parameter_map)"} <= set(answers["usedSurfaces"])
    assert found["precison_mode"].endswith("unknown name")
    assert {"project/named.sh:1", "project/convert.sh:3"} <= set(answers["places"]), (
        answers["places"],
        answers["shellFixed"],
    )
    assert answers["tooltip"].startswith("**`")
    assert answers["optionPage"].startswith("**`--model`**")


def test_files_of_other_languages(answers: dict[str, Any]) -> None:
    assert [f["line"] for f in answers["sidecar"]] == [2]
    assert [(f["line"], f["code"]) for f in answers["notebook"]] == [(1, "NPU101")]
    assert answers["cellFixed"] == "# 昇腾\n" + PYTHON.splitlines()[6].replace("precison_mode", "precision_mode")


def test_settings_hold_in_their_folder(answers: dict[str, Any]) -> None:
    """Those of a folder that is added while the editor runs, too."""
    assert answers["quiet"] == []
    assert answers["late"] == [["NPU101"], []]


def test_files_of_any_name(answers: dict[str, Any]) -> None:
    """One that a script names, and one that becomes what it is while it is typed."""
    assert [f["line"] for f in answers["named"]] == [2]
    assert [f["line"] for f in answers["typed"]] == [2]


def test_the_whole_workspace_is_checked_on_demand(answers: dict[str, Any]) -> None:
    # Line from 1, UTF-16 column from 0, severity 0: an error.
    assert [1, 30, 0, "NPU101", "npu-lsp"] in answers["closed"], answers["closed"]


def test_completions_come_before_those_of_other_servers(answers: dict[str, Any]) -> None:
    """Those that people have for Python, shell, YAML, Dockerfiles and compose answer in the same window."""
    beside = answers["beside"]
    assert set(beside["heard"]) == {each["name"] for each in neighbours()}
    assert beside["key"][:2] == [
        'custom_op.parameter_map["precision_mode"].',
        'custom_op.parameter_map["precision_mode"].s = ',
    ]
    assert beside["key"][2] == 'custom_op.parameter_map["precision_mode"].s = b"force_fp32"'
    assert beside["bool"] == ['custom_op.parameter_map["use_off_line"].b = True']
    assert beside["argument"] == ["run = NPURunConfig(precision_mode="]
    assert beside["blank"] == ['custom_op.parameter_map["graph_run_mode"].i = 0']
    assert beside["group"][0] == "npu.global_options().dump_config."
    assert beside["group"][1].startswith("npu.global_options().dump_config.dump_")
    assert beside["object"][0] == "run = NPURunConfig(dump_config=DumpConfig()"
    assert beside["object"][1].endswith("=DumpConfig(dump_path=)")
    assert beside["comma"] == ["    precision_mode="]
    assert beside["flag"] == ["atc --model=a.onnx --output="]


@pytest.mark.parametrize(
    "number", range(len(_typed())), ids=[f"{name} {letters.strip()}" for name, _, letters in _typed()]
)
def test_lists_are_not_hidden_by_words_of_the_text(number: int, answers: dict[str, Any]) -> None:
    """Letter by letter, beside all others, in a text that has a word which goes on as the name does: the first is one of ours."""
    _, text, _ = _typed()[number]
    _is_ours(answers["beside"]["typed"][number].removeprefix(text.rpartition("\n")[2]))


def _is_ours(line: str) -> None:
    written = re.search(r"--[\w-]+|HCCL_\w*", line)
    assert written is not None, line
    surface = Surface.VLLM if written[0].startswith("--") else Surface.ENV
    assert load().option(surface, written[0].lstrip("-")) is not None, line


def test_a_notebook_that_nothing_was_opened_before_has_a_list(answers: dict[str, Any]) -> None:
    """It opens while the server still starts, and fills itself."""
    (line,) = answers["freshNotebook"]
    _is_ours(line)


def test_fixes_are_looked_at_before_they_are_made(answers: dict[str, Any]) -> None:
    """What is safe is ticked, what is to review waits; where nothing is safe, a message leads to the preview."""
    assert answers["review"]["safe"].splitlines() == [
        'custom_op.parameter_map["use_off_line"].b = True',
        'custom_op.parameter_map["precison_mode"].s = b"allow_mix_precision"',
    ]
    assert "1 to review" in " ".join(answers["told"])
    assert 'parameter_map["precision_mode"]' in answers["review"]["all"]


def test_fixes_of_a_notebook_are_looked_through(answers: dict[str, Any]) -> None:
    """Those of all cells at once, and what is safe in any of them is made by one command."""
    notebook = answers["review"]["notebook"]
    assert "True" in notebook["reviewed"][1]
    assert "precision_mode" in notebook["reviewed"][2]
    assert notebook["safe"] == notebook["reviewed"][1]


def test_fixes_in_folds_of_yaml_are_looked_through(answers: dict[str, Any]) -> None:
    """In a workspace of several folders, each with its settings; the comment that silences is offered, too."""
    folded = answers["review"]["folded"]
    assert folded["text"] == _FOLDED.replace("BUFFSIZ", "BUFFSIZE")
    assert "Ignore NPU101 here" in folded["actions"]
    assert folded["quiet"] == []


def test_what_a_patch_adds_is_checked(answers: dict[str, Any]) -> None:
    assert answers["patch"] == ["diff", "NPU101"]


def test_a_launch_is_compared_with_a_recipe(answers: dict[str, Any]) -> None:
    title, page = answers["recipe"]
    assert title.startswith("Compare with the recipe vllm-ascend/")
    assert "| not set | vllm |" in page
    assert "`HCCL_BUFFSIZE`" in page


def test_logs_are_explained(answers: dict[str, Any]) -> None:
    logs = answers["logs"]
    assert logs["diagnostics"] == [[2, "buffer-too-small"]]
    assert "700" in logs["open"]
    assert "serve.sh#L1" in logs["open"]
    assert "HCCL_NPU_SOCKET_PORT_RANGE" in logs["pasted"]
    assert logs["code"] == 1
    assert "nnal" in logs["terminal"]


def test_fix_on_save(answers: dict[str, Any]) -> None:
    assert answers["saved"] == SAVED.replace(" --op_select_implmode=high_performance", "") + "# saved\n"


def test_a_file_that_a_fix_makes_is_on_the_disk_in_one_step(answers: dict[str, Any]) -> None:
    assert "--op_precision_mode=" in answers["savedWithFile"]
    assert answers["savedFile"] == "[ByOpType]\nGelu=high_precision\n"
    assert answers["dirty"] == []
    assert answers["undone"] == f"{LISTED}# saved\n"


def test_a_crash_is_not_the_end_unless_there_are_many(answers: dict[str, Any]) -> None:
    assert answers["crashes"] == 5
    assert answers["goneForGood"]
    assert len([text for text in answers["told"] if "crashed 5 times" in text]) == 1
    assert answers["doctorAfter"]


def test_what_is_running(answers: dict[str, Any]) -> None:
    assert answers["status"].startswith("Newest CANN · ")
    assert "catalog" in answers["doctor"]


def test_a_configuration_is_begun(answers: dict[str, Any]) -> None:
    uri, text = answers["configuration"]
    assert uri.startswith("untitled:")
    assert uri.endswith("/project/npu-lsp.toml")
    # Nobody has named a target: what isn't known is a comment.
    assert "target" in text
    assert parse(text) == {}


def test_a_target_is_chosen(answers: dict[str, Any]) -> None:
    assert parse(answers["target"]).keys() == {"target"}
    assert not list(FORM.problems(parse(answers["target"]), ""))


def test_a_server_that_fails_is_one_message_and_no_loop(answers: dict[str, Any]) -> None:
    assert answers["failed"] == [True, True]
    assert [text for text in answers["told"] if "there-is-no-server is not there" in text]
    assert [text for text in answers["told"] if "/bin/false" in text]
    assert len([text for text in answers["told"] if "run:" in text and "crashed" not in text]) == 2
    assert [f["line"] for f in answers["again"] if f["code"] == "NPU101"] == [3]
