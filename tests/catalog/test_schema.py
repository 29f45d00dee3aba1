"""The published schema: the same as the code, and of the same mind as the validator."""

from __future__ import annotations

import re
from typing import Any

import jsonschema
import pytest

from npu_lsp.catalog import vocabulary
from npu_lsp.catalog.files import DATA, option_files
from npu_lsp.text.toml import parse, read
from tests.authoring.schema import PATH, schema, written
from tests.authoring.validate import form_of
from tests.catalog.conftest import option_file
from tests.golden import made_by


@pytest.fixture(scope="module")
def validator() -> Any:
    made = jsonschema.Draft202012Validator(schema())
    made.check_schema(schema())
    return made


def test_the_file_is_what_the_code_says() -> None:
    made_by({PATH: written()}, "python -m tests.authoring.schema")


def test_it_accepts_every_file_of_the_catalog(validator: Any) -> None:
    for path in option_files():
        told = [error.message for error in validator.iter_errors(read(path))]
        assert not told, (path, told)


@pytest.mark.parametrize(
    "broken",
    [
        'group = "basic"\n',
        option_file('unit = "parsec"'),
        option_file("colour = 3"),
        option_file('since = "soon"'),
        option_file('[[relations]]\nkind = "likes"\nother = "x"\nsource = "tf:a"'),
        option_file('deprecated = { why = { en = "No." }, source = "tf:a" }'),
        option_file("deprecated = true"),
        option_file(facts='type = "string"'),
        option_file(facts='slot = "x"'),
        '[rules.A]\nsummary = { en = "A.", zh = "甲。" }\n',
        '[options.a.session]\nslot = "x"\n',
    ],
)
def test_it_rejects_what_the_validator_rejects(validator: Any, broken: str) -> None:
    data = parse(broken)
    assert list(form_of(data).problems(data, "")), "the validator takes it"
    assert list(validator.iter_errors(data)), "the schema takes it"


def test_the_readme_tells_what_is_in_each_file_and_folder() -> None:
    readme = (DATA / "README.md").read_text(encoding="utf-8")
    entries = (path.name + "/" * path.is_dir() for path in DATA.iterdir() if path.name != "README.md")
    assert not [entry for entry in entries if f"`{entry}`" not in readme]


def test_the_words_are_those_of_the_readme() -> None:
    readme = (DATA / "README.md").read_text(encoding="utf-8")

    def words(title: str) -> set[str]:
        section = re.search(rf"^## {title}\n(.*?)^## ", readme, re.MULTILINE | re.DOTALL)
        assert section is not None
        return set(re.findall(r"`([a-z0-9_]+)`", section[1]))

    assert words("Groups") == set(vocabulary.GROUPS)
    assert set(vocabulary.RELATION_KINDS) <= words("Relations")
    assert words("Products") == set(read(DATA / "products.toml"))
