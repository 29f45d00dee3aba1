"""What is read of vLLM-Ascend's source, and that the catalog holds no other facts than that shows."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from npu_lsp.catalog.load import load
from npu_lsp.catalog.model import Surface
from tests.authoring.dict_reads import Read, reads
from tests.authoring.python_tree import parse
from tests.authoring.releases import Releases
from tests.authoring.vllm_ascend import facts, main

OLD = """
class Config:
    def __init__(self, vllm_config):
        additional_config = vllm_config.additional_config if vllm_config.additional_config is not None else {}
        group = additional_config.get("group", {})
        self.group = Group(group)
        self.size: int = additional_config.get("size", None)
        self.gone = bool(additional_config.get("gone", False))
        self.refresh(additional_config.get("by_method", {}))

    def refresh(self, config):
        self.a = config.get("a", 1.5)

class Group:
    def __init__(self, group):
        self.enabled = group.get("enabled", False)
"""
NEW = """
class Config:
    def __init__(self, vllm_config):
        additional_config = getattr(vllm_config, "additional_config", None) or {}
        self.group = Group(**additional_config.get("group", {}))
        self.scheduler = Scheduler(additional_config)
        self.table = Table(additional_config.get("table"))
        if "flag" in additional_config:
            self.flag = additional_config["flag"]

class Group:
    def __init__(self, enabled: bool = True, **kwargs):
        self.more = kwargs.get("more", "x")

class Scheduler:
    def __init__(self, additional_config):
        scheduler = additional_config.get("scheduler")
        self.inner = Inner(self._get_config_value(scheduler, additional_config, "inner", {}))

    @staticmethod
    def _get_config_value(scheduler, additional_config, key, default):
        return scheduler.get(key, additional_config.get(key, default))

class Inner:
    def __init__(self, config=None):
        self.deep: int = int(config.get("deep", 3))

class Table:
    _defaults = {"one": 1}

    def __init__(self, config):
        if set(config) - set(self._defaults):
            raise ValueError("Unknown keys")
"""
CHECKED = """
@config
class Inner:
    deep: int = 3
    other: str = "x"
    MODES: ClassVar[set[str]] = {"a"}
    made: int = dataclasses.field(default=0, init=False)

@config
class Scheduler:
    inner: Inner = dataclasses.field(default_factory=Inner)

    @classmethod
    def of(cls, additional_config):
        scheduler = additional_config.get("scheduler", {})

        def resolve(key, default):
            if key in scheduler:
                return scheduler[key]
            if key in additional_config:
                return additional_config[key]
            return default

        return cls(inner=resolve("inner", {}))

@config
class Derived:
    size: int = 1

@config
class Config:
    flag: bool = False
    scheduler: Scheduler = dataclasses.field(default_factory=lambda: Scheduler())
    derived: Derived = dataclasses.field(default_factory=Derived)
    ratio: int = 1

def make(vllm_config):
    additional_config = vllm_config.additional_config or {}
    scheduler = Scheduler.of(additional_config)
    left_out = {"scheduler", "derived", "ratio", "inner"}
    given = {k: v for k, v in additional_config.items() if k not in left_out}
    return Config(scheduler=scheduler, derived=Derived(), **given)
"""
VARIABLES = """
import os
env_variables = {
    "VLLM_ASCEND_A": lambda: bool(int(os.getenv("VLLM_ASCEND_A", "0"))),
    "VLLM_ASCEND_B": lambda: os.getenv("VLLM_ASCEND_B", None),
    "VLLM_ASCEND_KEPT": lambda: os.getenv("VLLM_ASCEND_KEPT", None),
}
"""
ELSEWHERE = """
# VLLM_ASCEND_B was the old name.
on = VLLM_ASCEND_D or bool(int(os.getenv("VLLM_ASCEND_KEPT", "0")))
off = os.environ.get(
    "VLLM_ASCEND_LATE",
    None)
"""


def test_a_dict_is_followed_to_where_its_keys_are_read() -> None:
    tree = parse(NEW)
    assert tree is not None
    found = reads([tree], "additional_config")
    assert found.keys[("group", "enabled")] == Read("bool", "True")
    assert found.keys[("group", "more")] == Read("string", "'x'")
    assert found.keys[("scheduler", "inner", "deep")] == found.keys[("inner", "deep")] == Read("int", "3")
    assert ("flag",) in found.keys
    assert found.refusing == {("table",)}


def test_a_checked_class_is_read_by_its_fields() -> None:
    tree = parse(CHECKED)
    assert tree is not None
    found = reads([tree], "additional_config")
    assert found.keys[("flag",)] == Read("bool", "False")
    assert found.keys[("scheduler", "inner", "deep")] == found.keys[("inner", "deep")] == Read("int", "3")
    names = {"flag", "scheduler", "inner", "scheduler.inner"}
    within = {f"{owner}.{name}" for owner in ("inner", "scheduler.inner") for name in ("deep", "other")}
    assert {".".join(path) for path in found.keys} == names | within
    assert found.refusing == {(), ("scheduler",), ("scheduler", "inner"), ("inner",)}


@pytest.fixture
def releases(tmp_path: Path) -> Path:
    """A repository with two releases."""
    source = tmp_path / "vllm_ascend"
    source.mkdir()

    def git(*arguments: str) -> None:
        who = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
        subprocess.run(["git", "-C", str(tmp_path), *who, *arguments], check=True, capture_output=True)

    git("init")
    later = VARIABLES.replace("_B", "_C").replace("_KEPT", "_D")
    for tag, text, variables, elsewhere in (("v0.9.0rc1", OLD, VARIABLES, ""), ("v0.10.0", NEW, later, ELSEWHERE)):
        (source / "ascend_config.py").write_text(text)
        (source / "envs.py").write_text(variables)
        (source / "utils.py").write_text(elsewhere)
        git("add", "-A")
        git("commit", "-m", tag)
        git("tag", tag)
    return tmp_path


def test_each_name_is_dated_by_the_releases(releases: Path) -> None:
    found, groups = facts(Releases(releases))
    dates = {fact.name: (fact.since, fact.until) for fact in found}
    assert dates["gone"] == dates["size"] == dates["by_method.a"] == ("0.9.0rc1", "0.10.0")
    assert dates["group.enabled"] == dates["VLLM_ASCEND_A"] == ("0.9.0rc1", None)
    assert dates["VLLM_ASCEND_B"] == ("0.9.0rc1", "0.10.0")
    assert dates["VLLM_ASCEND_KEPT"] == ("0.9.0rc1", None), "what the table has lost may be read elsewhere"
    assert dates["VLLM_ASCEND_LATE"] == ("0.10.0", None)
    assert dates["scheduler.inner.deep"] == ("0.10.0", None)
    assert [(group.name, group.refused_since) for group in groups] == [("table", "0.10.0")]
    assert {fact.name: fact.read for fact in found}["by_method.a"] == Read("float", "1.5")


def test_what_the_catalog_lacks_is_told(releases: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(releases)]) == 1
    told = capsys.readouterr().out
    assert "additional_config scheduler.inner.deep: since 0.10.0, int, default 3: not in the catalog" in told
    assert "no release has it" in told


def test_a_part_of_a_group_lives_no_longer_than_the_group() -> None:
    catalog = load()
    for option in catalog.options(Surface.ADDITIONAL_CONFIG):
        owner = catalog.option(Surface.ADDITIONAL_CONFIG, option.name.rpartition(".")[0])
        if owner is not None:
            assert owner.type == "dict", option.name
            assert option.removed is not None or owner.removed is None, option.name
