"""The pages as a site that needs no network: `python -m tests.pages.site` writes `build/site/en` and `build/site/zh`.

Pages that are written by hand keep their text, and their links lead to where their targets are in the site, or to the repository.
A rule has a page of its own, and an option has a place on the page of its surface. Zensical (`npu-lsp[docs]`), the successor of MkDocs Material, does the rest.
"""

from __future__ import annotations

import argparse
import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import yaml

from npu_lsp.catalog.load import Catalog, load
from npu_lsp.catalog.model import Option
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.catalog.usage import ranks
from npu_lsp.docs.markdown import code
from npu_lsp.docs.render import render
from npu_lsp.docs.wording import heading, shown
from npu_lsp.linter.page import page, table
from npu_lsp.rules import all_rules
from npu_lsp.text.bilingual import Language, Text
from tests.pages.repository import ROOT, address
from tests.rules.new import GROUPS

_SETUP = ROOT / "docs" / "site"
_MOST_SET = 12
"""Options of a surface that the first page of options names."""
_LINK = re.compile(r"(?<=\]\()(?P<path>[^)\s#:]+)(?P<rest>#[^)\s]*)?(?=\))")
_FENCE = re.compile(r"(^(?P<fence>```+|~~~+).*?^(?P=fence)[ \t]*$)", re.MULTILINE | re.DOTALL)
_SWITCH = re.compile(r"^\[(?:中文|中文说明|English)\]\([^)]+\)\n+", re.MULTILINE)
_ANCHOR = re.compile(r'^(?:<a id="(?P<id>[^"]+)"></a>\n+)?(?P<heading>#{1,4} (?P<title>.+))$', re.MULTILINE)


class Section(NamedTuple):
    """An entry of the site's menu: pages, by where they stand in the repository, and by where they stand in the site."""

    title: Text
    pages: Sequence[tuple[str, str]]


WRITTEN = (
    Section(Text("Start", "开始"), [("README.md", "index.md"), ("docs/findings.md", "findings.md"), ("CHANGELOG.md", "changelog.md")]),
    Section(
        Text("Editors", "编辑器"),
        [
            ("editors/vscode/README.md", "editors/vscode.md"),
            ("editors/neovim/README.md", "editors/neovim.md"),
            *((f"editors/{name}.md", f"editors/{name}.md") for name in ("vim", "emacs", "helix", "kate", "zed", "others")),
            ("docs/lsp.md", "lsp.md"),
            ("docs/schemas.md", "schemas.md"),
            ("docs/mcp.md", "mcp.md"),
        ],
    ),
    Section(
        Text("CI and configuration", "CI 与配置"),
        [(f"docs/{name}.md", f"{name}.md") for name in ("ci", "configuration", "house-rules", "offline")]
        + [("SECURITY.md", "security.md")],
    ),
    Section(
        Text("Launches and machines", "启动与机器"),
        [(f"docs/{path.name}", path.name) for path in sorted((ROOT / "docs").glob("*.md"))
         if path.stem in ("launches", "machines", "recipes", "logs", "deployments")],
    ),
    Section(Text("Development", "开发"), [("CONTRIBUTING.md", "contributing.md"), ("docs/ARCHITECTURE.md", "architecture.md")]),
)  # fmt: skip
"""What is written by hand, in the order of the menu. A page without a Chinese text is shown in English."""
_MADE_ELSEWHERE = {
    "docs/rules.md": "rules/index.md",
    "docs/options.md": "options/index.md",
    "docs/README.md": "index.md",
}
_RULES = Text("Rules", "规则")
_OPTIONS = Text("Options", "配置项")
_HUNDREDS = {
    0: "不可读的文件",
    1: "单个配置项及其取值",
    2: "不能同时使用的配置项",
    3: "过时或无效的配置项",
    4: "版本、产品与场景",
    5: "TensorFlow 会话",
    6: "环境变量",
    7: "Shell 语法",
    8: "配置项引用的文件",
    9: "忽略告警的注释",
}
_MOST = Text("What people set most often stands first.", "最常设置的配置项排在前面。")
_SURFACE_COLUMNS = Text("| where | options | set most often |", "| 位置 | 数量 | 最常设置 |")


def site_pages(language: Language) -> dict[str, str]:
    """Return the Markdown of each page of the site in one language, by its path there."""
    catalog = load()
    places = {source: place for section in WRITTEN for source, place in section.pages} | _MADE_ELSEWHERE
    made = {
        place: _moved(_source(source, language), source, place, places)
        for section in WRITTEN
        for source, place in section.pages
    }
    made |= {
        f"rules/{rule.code}.md": page(rule, language).replace(f"# {rule.name}", f"# {rule.code} {rule.name}", 1)
        for rule in all_rules()
    }
    made["rules/index.md"] = f"# {_RULES.to(language)}\n\n" + re.sub(
        r"^\| (NPU\d+) \|", r"| [\1](\1.md) |", table(all_rules(), language), flags=re.MULTILINE
    )
    for surface in Surface:
        if catalog.options(surface):
            made[f"options/{surface.value}.md"] = "\n".join(_surface_page(catalog, surface, language))
    made["options/index.md"] = "\n".join(_options_index(catalog, language))
    return made


def menu(language: Language, pages: dict[str, str]) -> list[object]:
    """Return the site's menu as the generator takes it."""
    found: list[object] = [
        {section.title.to(language): [place for _, place in section.pages]} for section in WRITTEN[:3]
    ]
    codes = [rule.code for rule in all_rules()]
    hundreds: list[object] = [
        {
            f"NPU{number}xx: {title if language == 'en' else _HUNDREDS[number]}": [
                f"rules/{each}.md" for each in codes if int(each[3:]) // 100 == number
            ]
        }
        for number, title in GROUPS.items()
        if any(int(each[3:]) // 100 == number for each in codes)
    ]
    found.append({_RULES.to(language): ["rules/index.md", *hundreds]})
    surfaces = [place for place in pages if place.startswith("options/") and place != "options/index.md"]
    found.append({_OPTIONS.to(language): ["options/index.md", *surfaces]})
    return found + [{section.title.to(language): [place for _, place in section.pages]} for section in WRITTEN[3:]]


def _source(path: str, language: Language) -> str:
    chinese = ROOT / path.replace(".md", ".zh.md")
    return (chinese if language == "zh" and chinese.is_file() else ROOT / path).read_text(encoding="utf-8")


def _moved(text: str, source: str, place: str, places: dict[str, str]) -> str:
    """Return a page with its links as they lead from its place in the site; code stays."""

    def led(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), link["path"]))
        known = places.get(target.replace(".zh.md", ".md"))
        if known is not None:
            anchor = link["rest"] or ""
            if known == "rules/index.md" and anchor:
                known, anchor = f"rules/{anchor[1:]}.md", ""
            elif known == "options/index.md" and anchor:
                known, anchor = f"options/{anchor[1:]}.md", ""
            return posixpath.relpath(known, posixpath.dirname(place) or ".") + anchor
        if target.endswith((".png", ".svg")):
            return posixpath.relpath(_image(target), posixpath.dirname(place) or ".")
        return f"{address()}/blob/main/{target}{link['rest'] or ''}"

    pieces = _FENCE.split(_SWITCH.sub("", text))
    # Each fence is followed by the group with its mark: a text, a fence, a mark.
    return "".join(
        _ANCHOR.sub(_anchored, _LINK.sub(led, piece)) if number % 3 == 0 else piece
        for number, piece in enumerate(pieces)
        if number % 3 != 2
    )


def _anchored(heading: re.Match[str]) -> str:
    """Return a heading with the anchor that it has in the repository, where Chinese signs count, too."""
    slug = re.sub(r"[^\w\- ]", "", heading["title"].strip().lower()).replace(" ", "-")
    return f"{heading['heading']} {{ #{heading['id'] or slug} }}"


def _image(path: str) -> str:
    return f"images/{Path(path).name}"


def _by_use(catalog: Catalog, surface: Surface) -> list[Option]:
    """Return the options of a surface: those that people set most first, then by name."""
    order = ranks(catalog, surface)
    return sorted(catalog.options(surface), key=lambda each: (order.get(each.name, len(order)), each.name))


def _surface_page(catalog: Catalog, surface: Surface, language: Language) -> Iterator[str]:
    yield f"# {heading(surface, catalog, language)}"
    yield f"\n{_MOST.to(language)}\n"
    for option in _by_use(catalog, surface):
        yield f"## {code(shown(surface, option.name))} {{ #{anchor(option)} }}\n"
        yield render(catalog, option, language, budget=20_000).partition(" · ")[2]
        yield ""


def anchor(option: Option) -> str:
    """Return the place of an option on the page of its surface."""
    return re.sub(r"[^\w.-]", "_", option.name)


def _options_index(catalog: Catalog, language: Language) -> Iterator[str]:
    yield f"# {_OPTIONS.to(language)}\n"
    yield _SURFACE_COLUMNS.to(language)
    yield "| --- | --- | --- |"
    for surface in Surface:
        if options := _by_use(catalog, surface):
            order = ranks(catalog, surface)
            most = [each for each in options if each.name in order][:_MOST_SET]
            names = (f"[{code(shown(surface, e.name))}]({surface.value}.md#{anchor(e)})" for e in most)
            title = heading(surface, catalog, language).replace("|", "\\|")
            yield f"| [{title}]({surface.value}.md) | {len(options)} | {' '.join(names)} |"


def build(out: Path) -> None:
    """Write the site in each language below `out`. Raises `CalledProcessError` where Zensical finds a link that leads nowhere."""
    languages: tuple[Language, ...] = ("en", "zh")
    for language in languages:
        sources = out / "sources" / language
        shutil.rmtree(sources, ignore_errors=True)
        pages = site_pages(language)
        for place, text in pages.items():
            path = sources / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        shutil.copyfile(_SETUP / "site.css", sources / "site.css")
        (sources / "images").mkdir()
        for image in (ROOT / "editors" / "vscode" / "images").iterdir():
            shutil.copyfile(image, sources / _image(image.name))
        settings = yaml.safe_load((_SETUP / "mkdocs.yml").read_text(encoding="utf-8"))
        settings["theme"]["language"] = language
        settings |= {"docs_dir": f"sources/{language}", "site_dir": language}
        settings["nav"] = menu(language, pages)
        configuration = out / f"mkdocs.{language}.yml"
        configuration.write_text(yaml.safe_dump(settings, allow_unicode=True, sort_keys=False), encoding="utf-8")
        command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", configuration.name]
        subprocess.run(command, cwd=out, check=True)


def main() -> None:
    """Build the site."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "site")
    arguments = parser.parse_args()
    build(arguments.out.resolve())
    print(arguments.out / "en" / "index.html")


if __name__ == "__main__":
    main()
