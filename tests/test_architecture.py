"""The rooms of the house, and the way data flows through them: imports run downwards only, and never in circles."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest

from npu_lsp.commands import doctor
from npu_lsp.text import toml

TESTS = Path(__file__).parent
PACKAGE = TESTS.parent / "npu_lsp"
ROOMS = (
    *("text", "catalog", "docs", "languages", "linter", "rules", "config", "checking", "reports", "lsp", "commands"),
)
"""From the bottom up: each may use those in front of it."""
LONGEST = 400
"""Lines of a file: more is more than one idea."""
NAMELESS = re.compile(r"(?:utils?|helpers?|common|misc|stuff)(?:\.py)?\Z")
NO_PROTOCOL = ("text", "catalog", "docs", "languages", "linter", "rules", "config", "checking", "reports")
"""The command in CI runs without a protocol."""


def modules() -> dict[str, Path]:
    """Return the program's files by the names of their modules."""
    found: dict[str, Path] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


@cache
def tree(path: Path) -> ast.Module:
    """Return what a file says to Python: read once for all that ask."""
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module", autouse=True)
def trees() -> Iterator[None]:
    """Keep none of them for the tests of other files."""
    yield
    tree.cache_clear()


def imports(path: Path, *, types: bool = False) -> list[str]:
    """Return the modules that a file imports, in functions, too; what only types need on request."""
    found: list[str] = []
    todo: list[ast.AST] = [tree(path)]
    while todo:
        node = todo.pop()
        if (
            not types
            and isinstance(node, ast.If)
            and isinstance(node.test, ast.Name)
            and node.test.id == "TYPE_CHECKING"
        ):
            continue
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            found += [name for name in inner if name in MODULES] or [node.module or ""]
        todo += ast.iter_child_nodes(node)
    return found


@cache
def all_imports() -> Mapping[str, list[str]]:
    """Return what each module of the package imports."""
    return {name: imports(path) for name, path in MODULES.items()}


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def test_every_room_is_known() -> None:
    assert {room(name) for name in MODULES} == {*ROOMS, "", "__main__"}


def test_imports_run_downwards() -> None:
    back = [
        f"{name} -> {used}"
        for name, found in all_imports().items()
        for used in found
        if room(name) in ROOMS and room(used) in ROOMS and used.startswith("npu_lsp.")
        if ROOMS.index(room(used)) > ROOMS.index(room(name))
    ]
    assert not back


def test_only_the_server_speaks_the_protocol() -> None:
    rest = [name for name in MODULES if room(name) in NO_PROTOCOL]
    speaks = [
        (name, used) for name in rest for used in all_imports()[name] if used.split(".")[0] in ("pygls", "lsprotocol")
    ]
    assert speaks == []


def test_libcst_is_imported_in_one_place() -> None:
    direct = {name for name, found in all_imports().items() if any(used.split(".")[0] == "libcst" for used in found)}
    assert direct == {"npu_lsp.languages.python.concrete"}


def test_what_is_installed_is_what_is_used() -> None:
    root = PACKAGE.parent
    listed = [re.split(r"[<>=;]", each)[0] for each in toml.read(root / "pyproject.toml")["project"]["dependencies"]]
    brought = [each for name in ("pygls", "lsprotocol") for each in metadata.requires(name) or ()]
    used = {found.split(".")[0] for names in all_imports().values() for found in names}
    # An extra: what needs it says how to get it.
    used -= {*sys.stdlib_module_names, "mcp", "npu_lsp", *(re.split(r"[^\w-]", each)[0] for each in brought)}
    # The standard library of later Pythons has it: it is imported by a name that is chosen at run time.
    imported = {"pyyaml": "yaml"}
    assert {imported.get(name, name.replace("-", "_")) for name in listed} == used | {"pygls", "lsprotocol", "tomli"}
    assert set(doctor._PACKAGES) == set(listed)
    security = (root / "SECURITY.md").read_text(encoding="utf-8").partition("## Dependencies")[2].partition("##")[0]
    assert [name for name in listed if not re.search(rf"(?<![\w-]){name}(?![\w-])", security)] == []


def test_the_linter_is_described() -> None:
    """The table of docs/ARCHITECTURE.md names each room and file of the linter that stands side by side, and no others."""
    page = (TESTS.parent / "docs/ARCHITECTURE.md").read_text(encoding="utf-8").partition("## Inside the linter")[2]
    table = "\n".join(line.split("|")[1] for line in page.partition("##")[0].splitlines() if line.startswith("| `"))
    there = [path for path in (PACKAGE / "linter").iterdir() if not path.name.startswith("__")]
    assert sorted(re.findall("`([a-z_]+/?)`", table)) == sorted(
        path.name + "/" if path.is_dir() else path.stem for path in there
    )


def test_names_say_something() -> None:
    assert not [name for name in MODULES if NAMELESS.search(name.rpartition(".")[2])]


def _circle(graph: dict[str, list[str]]) -> Iterator[str]:
    """Yield the modules that lead back to themselves."""
    for start in graph:
        todo, seen = list(graph[start]), set[str]()
        while todo:
            name = todo.pop()
            if name == start:
                yield start
                break
            if name not in seen:
                seen.add(name)
                todo += graph.get(name, ())


def test_no_file_needs_itself() -> None:
    """Nor does what is loaded late, or what only types need, lead back; a language is found by its name in a row."""
    graph = {
        name: [used for used in imports(path, types=True) if used in MODULES and used != name]
        for name, path in MODULES.items()
    }
    assert not list(_circle(graph))


def _declared(path: Path) -> Iterator[str]:
    """Yield the names that a file declares: those with `_` in front it has for itself, and no other file may use them."""
    for node in tree(path).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (each.id for each in targets if isinstance(each, ast.Name))


def test_nothing_is_left_over() -> None:
    unused = [
        f"{module}: {name}"
        for module, path in MODULES.items()
        for name in _declared(path)
        if re.match("_[^_]", name) and len(re.findall(rf"\b{name}\b", path.read_text(encoding="utf-8"))) == 1
    ]
    assert not unused


_REGISTERED = ("npu_lsp.rules.", "npu_lsp.catalog.grammar.")
"""What stands there is found by its name."""


def test_what_others_can_use_is_used() -> None:
    texts = (path.read_text(encoding="latin-1") for path in (*MODULES.values(), *TESTS.rglob("*.py")))
    files = Counter(word for text in texts for word in set(re.findall(r"\w+", text, re.ASCII)))
    alone = [
        f"{module}: {name}"
        for module, path in MODULES.items()
        if not module.startswith(_REGISTERED)
        for name in _declared(path)
        if re.fullmatch("[a-z][a-z0-9_]*|[A-Z][A-Z0-9_]*", name) and files[name] == 1
    ]
    assert not alone, "only its own file uses it: it begins with _"


def test_a_class_has_a_name_of_its_own() -> None:
    """Whoever searches for a name, or reads it in a traceback, finds one thing; what begins with `_` is its file's own."""
    places: dict[str, list[str]] = {}
    for name, path in MODULES.items():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(name)
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_files_are_small() -> None:
    lengths = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in MODULES.items()}
    assert not [f"{name}: {length}" for name, length in lengths.items() if length > LONGEST]


_BAG = re.compile(r"self\.(\w+): dict\[.+, (?:Any|object)\] = \{\}")
"""A dict of anything, which others fill."""


def test_what_is_kept_has_a_type() -> None:
    """What was found out about a thing is declared by whoever finds it out: `npu_lsp.text.memo` holds the one bag."""
    bags = [(name, found) for name, path in MODULES.items() for found in _BAG.findall(path.read_text(encoding="utf-8"))]
    assert bags == [("npu_lsp.text.memo", "entries")]


def test_python_is_read_in_one_way() -> None:
    """libcst means the same under every interpreter; the interpreter's own parser doesn't."""
    assert not [name for name, used in all_imports().items() if "ast" in used]


MOST_BRANCHES = 12
"""Of a function: one with more says `# branches: why` right above it."""


def _branches(function: ast.AST) -> int:
    """Count the ways through a function, without those of functions in it."""
    count, todo = 0, list(ast.iter_child_nodes(function))
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        count += isinstance(
            node, (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.BoolOp, ast.match_case)
        )
        count += len(node.ifs) if isinstance(node, ast.comprehension) else 0
        todo += ast.iter_child_nodes(node)
    return count


def _reasons(path: Path) -> Iterator[tuple[str, int, bool]]:
    """Yield each function of a file, its branches, and whether a reason for them stands right above it."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for node in ast.walk(tree(path)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min((each.lineno for each in node.decorator_list), default=node.lineno) - 1
            yield node.name, _branches(node), lines[first - 1].strip().startswith("# branches: ")


def test_functions_have_few_branches() -> None:
    """A reason that is needed no more goes, too."""
    found = [
        f"{module}: {name}"
        for module, path in MODULES.items()
        for name, count, reason in _reasons(path)
        if (count > MOST_BRANCHES) != reason
    ]
    assert found == []


BY_NAME = {
    # The files that are JSON as a whole.
    "npu_lsp.docs.json_schema": "ACL_JSON ADDITIONAL_CONFIG FUSION_SWITCH MINDFORMERS MINDIE MINDIE_DEPLOY MS_CONTROLLER "
    "MS_COORDINATOR NODE_MANAGER PYMOTOR_ENGINE RANK_TABLE",
    # Files that another tool's rules speak of.
    "npu_lsp.config.cmate": "MINDIE_DEPLOY",
    # Variables are what most house rules are about.
    "npu_lsp.config.offers": "ENV",
    # The line that sets a variable above a command, and the parts of a deployment's environment.
    "npu_lsp.linter.house.rule": "SHELL",
    "npu_lsp.linter.house.settings": "JSON",
    # What the files of a deployment of MindIE are to each other.
    "npu_lsp.linter.deployment.parts": "JSON MINDIE MINDIE_DEPLOY MS_CONTROLLER MS_COORDINATOR NODE_MANAGER PYMOTOR",
    # What keys such a file has at its top, and what Kubernetes reads.
    "npu_lsp.rules.deployment_part": "JSON MINDIE",
    "npu_lsp.linter.deployment.manifests": "YAML",
    # In which order images, env files, containers and scripts give a variable its value.
    "npu_lsp.linter.provenance.follow": "DOCKERFILE DOTENV SHELL YAML",
    "npu_lsp.linter.provenance.steps": "DOCKERFILE DOTENV PYTHON SHELL YAML",
    # What two tools of TensorFlow have in common, and how one is written as the other.
    "npu_lsp.linter.tensorflow.migration": "RUN_CONFIG SESSION",
    "npu_lsp.linter.tensorflow.session": "ADDITIONAL_CONFIG SESSION",
    "npu_lsp.lsp.features.completion": "PYTHON SESSION",
    # What is typed in the places of variables and of options of `docker run`, and what words go on in which language.
    "npu_lsp.lsp.features.proposals": "CONTAINER ENV",
    "npu_lsp.lsp.features.other_words": "DOCKERFILE JSON MINDIE NOTEBOOK PYTHON SHELL YAML",
    # What the Estimator, TF 2, ATC and GE do with a value of the wrong type: each source is named there.
    "npu_lsp.linter.mistyped": "MIXLIST RUN_CONFIG SGLANG_ARGS SINGLE_OP VLLM_ARGS",
    "npu_lsp.linter.mistyped.objects": "GLOBAL_OPTIONS RUN_CONFIG",
    # What arguments of vLLM go with, written as flags or as keywords.
    "npu_lsp.rules.contradicts_launch": "VLLM VLLM_ARGS",
    "npu_lsp.rules.environment_refused": "VLLM",
    # What a file of PyMotor starts gets its variables from another one.
    "npu_lsp.linter.refusals.told": "ADDITIONAL_CONFIG MINDIE VLLM_ARGS",
    # Comments of Python tell what is to be installed; elsewhere they leave it out.
    "npu_lsp.linter.versions.stated": "PYTHON",
    # A tool with the same names and commands, and rules about one tool.
    "npu_lsp.linter.rule_index": "ACCELERATE AIPP ATC DEEPSPEED ENV LLAMAFACTORY MINDSPEED MPIRUN RAY SWIFT TORCHRUN VERL VLLM",
    # What is installed and started: containers, packages, and the image that a Dockerfile begins with.
    "npu_lsp.linter.containers": "CONTAINER",
    "npu_lsp.linter.launch.named_files": "SHELL YAML",  # how each names files with variables
    "npu_lsp.linter.pairs": "CONTAINER DOCKERFILE NOTEBOOK PACKAGE REQUIREMENTS YAML",
    "npu_lsp.rules.packages_disagree": "PACKAGE",
    "npu_lsp.rules.package_install": "PACKAGE",
    # Services of a Compose file are started together.
    "npu_lsp.rules.container_start": "YAML",
    "npu_lsp.rules.image_of_other_product": "DOCKERFILE NOTEBOOK PACKAGE PYTHON",
    "npu_lsp.rules.container_devices": "YAML",
    # Which files are those of a deployment.
    "npu_lsp.rules.odd_path": "MINDIE YAML",
    # What a script as a whole sets, and its fences in a page don't.
    "npu_lsp.rules.unset_variable": "SHELL",
    "npu_lsp.rules.written_out_slips": "DOCKERFILE SHELL YAML",  # what expands variables, and what doesn't
    # Where a name that is none can be given something, and what a build writes down.
    "npu_lsp.rules.hyphenated_variable": "DOCKERFILE DOTENV JSON MAKEFILE SHELL YAML",
    "npu_lsp.rules.dockerfile_layers": "DOCKERFILE",
    "npu_lsp.rules.fixes.to_key": "ADDITIONAL_CONFIG SHELL",
    "npu_lsp.rules.fixes.op_precision_file": "ATC",
    "npu_lsp.rules.file_missing": "OP_CACHE SHELL",
    # What Python did before, and where a variable's name needs a sign.
    "npu_lsp.rules.address_not_filled_in": "SHELL",
    "npu_lsp.rules.launch_companion": "PYTHON",
    "npu_lsp.rules.set_too_late": "PYTHON SHELL",
    # In which files a text gets the variables that are set around it.
    "npu_lsp.linter.launch.environment": "DOCKERFILE MAKEFILE NOTEBOOK PYTHON SHELL YAML",
    # Where a device is chosen, and whose arguments stand beside those of Megatron.
    "npu_lsp.rules.device_beyond_visible": "PYTHON SHELL",
    "npu_lsp.rules.argument_value": "MINDSPEED",
    # What a script runs by its name, and what an image starts.
    "npu_lsp.rules.kubectl_reference": "SHELL",
    "npu_lsp.rules.mistyped_command": "SHELL",
    "npu_lsp.linter.names.script_flags": "DOCKERFILE",
    # Texts that run as a whole, and pages, of which a file's name says what they are about.
    "npu_lsp.linter.gpu_habits": "DOCKERFILE MARKDOWN PYTHON SHELL",
    "npu_lsp.linter.names.miscalled": "PYTHON SHELL",  # names of its modules; a command stands where a word begins
    "npu_lsp.linter.names.misspelt_words": "JSON SHELL",  # flags of a command, keys of a file
    "npu_lsp.linter.names.in_pages": "ATC MARKDOWN SGLANG TORCHRUN VLLM",  # the text of pages, and whose arguments are no slips there
    "npu_lsp.linter.variable_uses": "DOCKERFILE PYTHON SHELL",
    # Where a comment goes, and what it reaches.
    "npu_lsp.linter.suppressions.comments": "MAKEFILE YAML",
    "npu_lsp.linter.suppressions.removal": "NOTEBOOK",
    "npu_lsp.linter.suppressions.writing": "NOTEBOOK PYTHON YAML",
    # What only the syntax of one language asks for: cells, variables, functions, soundness.
    "npu_lsp.checking.entries": "NOTEBOOK",
    # A package's name has a hyphen as flags have, and is none.
    "npu_lsp.checking.logs.named": "PACKAGE",
    "npu_lsp.docs.snippets": "PYTHON SHELL",
    "npu_lsp.rules.set_twice": "NOTEBOOK",
    "npu_lsp.linter.deliberate": "PYTHON",
    "npu_lsp.linter.fixing.soundness": "PYTHON SHELL YAML",
    "npu_lsp.lsp.features.synchronization": "NOTEBOOK PYTHON",
    "npu_lsp.lsp.features.chosen_actions": "SHELL",
    "npu_lsp.lsp.features.folding": "SHELL",
    "npu_lsp.lsp.features.profile_actions": "SHELL",
    "npu_lsp.lsp.features.renaming": "SHELL",
    "npu_lsp.lsp.features.typed_words": "NOTEBOOK PYTHON SHELL",
    "npu_lsp.lsp.features.word_hover": "SHELL",
    "npu_lsp.lsp.warm_up": "PYTHON SHELL",
}
"""The files that ask for a surface or a kind of file by its name. Whatever else differs is asked of their rows."""
AT_HOME = ("npu_lsp.catalog.surfaces", "npu_lsp.catalog.grammar", "npu_lsp.languages", "npu_lsp.text.kinds")


def _asked_by_name(path: Path) -> set[str]:
    """Return the surfaces and kinds that a file compares something with, or lists beside others."""
    found: list[ast.AST] = []
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Compare):
            found += [node.left, *(each for right in node.comparators for each in ast.walk(right))]
        elif isinstance(node, (ast.Set, ast.Tuple, ast.List)) and len(node.elts) > 1:
            found += node.elts
        elif isinstance(node, ast.BinOp):
            found += [each for side in (node.left, node.right) for each in ast.walk(side)]
        elif isinstance(node, ast.Dict) and len(node.keys) > 1:
            found += [key for key in node.keys if key is not None]
    return {
        each.attr
        for each in found
        if isinstance(each, ast.Attribute)
        and isinstance(each.value, ast.Name)
        and each.value.id in ("Surface", "Kind")
        and each.attr.isupper()
        and each.attr != "OTHER"
    }


def test_what_differs_stands_in_rows() -> None:
    """A new surface or language is a row: few files may ask which one it is, and each is listed here with a reason."""
    elsewhere = {name: path for name, path in MODULES.items() if not name.startswith(AT_HOME)}
    found = {name: " ".join(sorted(names)) for name, path in elsewhere.items() if (names := _asked_by_name(path))}
    assert found == BY_NAME
