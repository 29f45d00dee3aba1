"""What code can be made to run on, and the edit of a configuration that says so: for a client's own menu."""

from __future__ import annotations

import json
from typing import Any

from pygls.exceptions import JsonRpcInvalidParams

from npu_lsp.catalog.components import CANN, COMPONENTS
from npu_lsp.config.discover import NAMES
from npu_lsp.lsp.features.ranges import span_json
from npu_lsp.lsp.features.registrations import RETARGET
from npu_lsp.lsp.features.status import uri_in
from npu_lsp.lsp.session import Session
from npu_lsp.lsp.uris import name_of, to_path
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_ABOUT_TARGET = Text(
    "# What the code must run on. What isn't said here isn't assumed.", "# 代码的运行目标。未填写的内容不作假定。"
)
_INSTALLED = Text("# The CANN version is that of {path}.", "# CANN 版本取自 {path}。")
_UNSAID = '# target = { cann = "", products = [] }'
_ABOUT_RULES = Text(
    "# Rules that aren't to run, and names of options that are right though nobody knows them.",
    "# 不启用的规则，以及虽未收录但正确的配置项名称。",
)
_RULES = ("# ignore = []", "# known = []")


def targets(session: Session, _params: Any) -> dict[str, Any]:
    """Answer the versions of each component, the newest first, and the product families that there are."""
    from npu_lsp.config.offers import products, versions

    language = session.projects.find("").language
    named = [(each.text, each.title) for each in products() if isinstance(each.title, Text)]
    return {
        "components": [
            {"id": each.name, "name": each.title, "about": each.about.to(language)} for each in COMPONENTS.values()
        ],
        CANN: [each.text for each in versions(CANN)],
        "versions": {component: [each.text for each in versions(component)] for component in COMPONENTS},
        "products": [{"id": name, "name": title.to(language)} for name, title in named],
    }


def retarget(session: Session, params: Any) -> list[dict[str, Any]]:
    """Answer the edits that make a configuration say `versions` and `products`; a file that isn't there counts as empty.

    `versions` has one for each component, or null for none; `cann` alone is a version, too. Without `products` these stay.
    Raises `JsonRpcInvalidParams` for a file that is no configuration.
    """
    from npu_lsp.config.mistakes import section
    from npu_lsp.config.retarget import retargeted

    asked = params if isinstance(params, dict) else {}
    uri, versions, chosen = uri_in(params), _versions(asked), asked.get("products")
    known = chosen is None or isinstance(chosen, list)
    if uri is None or name_of(uri) not in NAMES or not known or versions is None or not (versions or chosen):
        raise JsonRpcInvalidParams(f"{RETARGET} takes a configuration file, versions and products")
    source = session.documents.find(uri)
    document = source.text if source is not None else Document(_saved(to_path(uri)), kind=Kind.OTHER, uri=uri)
    products = [str(each) for each in chosen] if chosen is not None else None
    edits = retargeted(document.text, section(name_of(uri)), versions, products)
    encoding = session.documents.encoding
    return [{"range": span_json(document, edit.span, encoding), "newText": edit.text} for edit in edits]


def new_configuration(session: Session, params: Any) -> dict[str, Any]:
    """Answer the text that a new configuration begins with, for a file of its folder or for the first folder.

    It says what is in force already, by the client's settings, and the toolkit that is installed here; all else are comments: what
    nobody has said would make wrong answers.
    """
    project = session.projects.find(to_path(uri_in(params) or ""))
    target, toolkit, language = project.analyzer.target, project.analyzer.toolkit, project.language
    versions = {component: str(version) for component, version in target.versions}
    installed = toolkit.version if toolkit is not None and CANN not in versions else None
    told = [_ABOUT_TARGET.to(language)]
    if installed is not None and toolkit is not None:
        versions = {CANN: installed, **versions}
        told.append(_INSTALLED.to(language).format(path=toolkit.home))
    said = [f"{component} = {_quoted(version)}" for component, version in versions.items()]
    if target.products:
        said.append(f"products = [{', '.join(map(_quoted, target.products))}]")
    lines = [*told, f"target = {{ {', '.join(said)} }}" if said else _UNSAID, "", _ABOUT_RULES.to(language), *_RULES]
    return {"text": "\n".join([*lines, ""])}


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _versions(asked: dict[str, Any]) -> dict[str, str | None] | None:
    """Return the versions that are asked for, by component; `None` where they are none."""
    given = asked.get("versions", {CANN: asked["cann"]} if "cann" in asked else {})
    if not isinstance(given, dict) or not given.keys() <= COMPONENTS.keys():
        return None
    return given if all(each is None or isinstance(each, str) for each in given.values()) else None


def _saved(path: str) -> str:
    """Return the text of the file at `path`, empty where there is none that could be one."""
    from npu_lsp.config.mistakes import LONGEST
    from npu_lsp.text.small_file import read

    try:
        return read(path, LONGEST).decode("utf-8", "replace")
    except OSError:
        return ""
