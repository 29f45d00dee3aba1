"""libcst as readers import it has the classes that it has by itself, and its trees are the same."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import libcst
import pytest

from npu_lsp.languages.python.concrete import cst
from tests.case_files import case_files

_TELL = """\
import copy, dataclasses, hashlib, inspect, json, pickle, sys
{imported}
def told(node):
    same = pickle.loads(pickle.dumps(node))
    text = cst.Module([]).code_for_node(node)
    return repr(node), text, node.deep_equals(node.deep_clone()), node == copy.copy(node), node.deep_equals(same), hash(node) == id(node)
def tried(make):
    try:
        return make()
    except Exception as error:
        return type(error).__name__
classes = {{}}
for name, each in vars(cst).items():
    if isinstance(each, type) and issubclass(each, cst.CSTNode):
        made = tried(lambda: told(each()))
        fields = [(f.name, repr(f.default).partition(' object at')[0], f.default_factory is dataclasses.MISSING, f.init, f.kw_only) for f in dataclasses.fields(each)]
        abstract = made == 'TypeError' and inspect.isabstract(each)
        takes = abstract or [(p.name, str(p.kind), p.default is p.empty) for p in inspect.signature(each.__init__).parameters.values()]
        own = [getattr(each, m).__qualname__ for m in ("__eq__", "__hash__", "__repr__", "__post_init__")]
        classes[name] = made, fields, takes, own, each.__match_args__, each.__slots__, [c.__name__ for c in each.__mro__]
trees = {{}}
for path in sys.argv[1:]:
    tree = tried(lambda: cst.parse_module(open(path, "rb").read()))
    trees[path] = tree if isinstance(tree, str) else hashlib.sha256(repr(tree).encode("utf-8", "replace")).hexdigest()
print(json.dumps([classes, trees, str(cst.CSTNode.__setattr__ is object.__setattr__)]))
"""


def _told(imported: str) -> tuple[dict[str, Any], dict[str, str], str]:
    paths = [str(path) for path in case_files(suffix=".py")]
    command = [sys.executable, "-c", _TELL.format(imported=imported), *paths]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    classes, trees, thawed = json.loads(done.stdout)
    return classes, trees, thawed


def test_classes_and_trees_are_those_of_libcst() -> None:
    classes, trees, thawed = _told("from npu_lsp.languages.python.concrete import cst")
    plain, plain_trees, frozen = _told("import libcst as cst")
    # Else both were libcst's own.
    assert (thawed, frozen) == ("True", "False")
    assert len(classes) > 150
    assert {name: (told, plain[name]) for name, told in classes.items() if told != plain[name]} == {}
    assert len(trees) > 20
    assert trees == plain_trees


def test_a_node_says_what_is_wrong_with_it() -> None:
    assert cst is libcst
    with pytest.raises(libcst.CSTValidationError):
        cst.Name("")
    with pytest.raises(TypeError):
        cst.Name()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        cst.Pass(colour="red")  # type: ignore[call-arg]


def test_two_threads_may_make_the_first_node_of_a_kind() -> None:
    code = (
        "import threading\n"
        "from npu_lsp.languages.python import concrete\n"
        "from npu_lsp.languages.python.concrete import cst\n"
        "both, make, made = threading.Barrier(2), concrete._initializer, []\n"
        "def slow(fields):\n"
        "    both.wait(9)\n"
        "    return make(fields)\n"
        "concrete._initializer = slow\n"
        "threads = [threading.Thread(target=lambda: made.append(cst.Pass())) for _ in range(2)]\n"
        "[each.start() for each in threads], [each.join() for each in threads]\n"
        "print(len(made))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "2\n", done.stderr
