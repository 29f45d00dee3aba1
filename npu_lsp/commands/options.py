"""`npu-lsp options`: shows what is known about options."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from npu_lsp.catalog import environment, toolkit
from npu_lsp.catalog.availability import standing
from npu_lsp.catalog.components import CANN, COMPONENTS
from npu_lsp.catalog.errors import CatalogError
from npu_lsp.catalog.extend import extended
from npu_lsp.catalog.load import Catalog, load
from npu_lsp.catalog.model import FusionRule, Option, Surface
from npu_lsp.catalog.products import products
from npu_lsp.catalog.target import Target, Version
from npu_lsp.checking import stderr
from npu_lsp.commands.arguments import add_format, add_surface
from npu_lsp.commands.language import CommandError, chosen, language_of, told
from npu_lsp.commands.output import write_out
from npu_lsp.commands.parser import Parser, did_you_mean
from npu_lsp.config.discover import Discovery
from npu_lsp.config.overrides import overrides, target
from npu_lsp.text.bilingual import LANGUAGE_CHOICES, Text

_EXAMPLES = Text(
    """\
examples:
  npu-lsp options --surface atc                    every ATC flag
  npu-lsp options --cann 8.0 --product a2          what there is on one target
  npu-lsp options --deprecated                     what to move away from
  npu-lsp options --format json --surface session  for other programs
  npu-lsp options --format markdown --lang zh      a reference of all options
  npu-lsp options --format html > options.html     a page to search, which needs no network
  npu-lsp options show precision_mode              one option, on every surface that has it
  npu-lsp options show DumpConfig.enable_dump      an argument of a nested object
  npu-lsp options show HCCL_ALGO --sources         what each statement about it rests on
""",
    """\
示例：
  npu-lsp options --surface atc                    所有 ATC 参数
  npu-lsp options --cann 8.0 --product a2          某个运行目标上可用的配置项
  npu-lsp options --deprecated                     应当替换的配置项
  npu-lsp options --format json --surface session  供其他程序使用
  npu-lsp options --format markdown --lang zh      所有配置项的参考手册
  npu-lsp options --format html > options.html     可搜索的网页，打开时无需网络
  npu-lsp options show precision_mode              某个配置项在各处的说明
  npu-lsp options show DumpConfig.enable_dump      嵌套对象的参数
  npu-lsp options show HCCL_ALGO --sources         各项说明的来源
""",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told(
        "Lists the options that npu-lsp knows, or shows one as an editor's hover does. Options that the configuration\n"
        "of this folder adds (`catalog`) are among them, and `show` answers for its `target`.",
        "列出 npu-lsp 已知的配置项，或显示某个配置项的说明（与编辑器悬停提示相同）。\n"
        "其中包括当前目录的配置（`catalog`）增加的配置项；`show` 按配置的 `target` 回答。",
    )
    parser.epilog = _EXAMPLES.to(chosen())
    if isinstance(parser, Parser):
        parser.guess = _meant
    show = told("show one option, by NAME", "按名称显示一个配置项")
    parser.add_argument("action", nargs="?", choices=("show",), type=_action, help=show)
    name = told("an option, a flag, a variable or a fusion rule", "配置项、命令行参数、环境变量或融合规则的名称")
    parser.add_argument("name", nargs="?", metavar="NAME", help=name)
    add_format(parser, "table", "json", "markdown", "html")
    add_surface(parser)
    target_too = told(
        "what holds for versions and products: --target vllm-ascend=0.23,product=a2; may be given again",
        "适用于某些版本和产品的内容：--target vllm-ascend=0.23,product=a2；可多次使用",
    )
    parser.add_argument("--target", action="append", default=[], metavar="KEY=VALUE", help=target_too)
    cann = told("what holds for this version of CANN, for instance 8.0", "适用于该 CANN 版本的内容，例如 8.0")
    parser.add_argument("--cann", metavar="V", help=cann)
    product = told("what holds for this product: a2, Ascend310P3, ...", "适用于该产品的内容：a2、Ascend310P3 等")
    parser.add_argument("--product", metavar="P", help=product)
    parser.add_argument(
        "--lang",
        choices=LANGUAGE_CHOICES,
        default="auto",
        help=told(
            "language of the docs; default: that of the configuration or the locale",
            "说明的语言；默认跟随配置或系统区域设置",
        ),
    )
    deprecated = told("only deprecated and removed options", "只列出废弃和已移除的配置项")
    parser.add_argument("--deprecated", action="store_true", help=deprecated)
    cited = told("with `show`: what each statement rests on", "用于 `show`：各项说明的来源")
    parser.add_argument("--sources", action="store_true", help=cited)
    catalog = told("add the options of a file of your own", "增加自有文件中的配置项")
    parser.add_argument("--catalog", action="append", default=[], metavar="FILE", help=catalog)


def _action(word: str) -> str:
    """Return what to do; a name without a word in front of it is what most people try first."""
    if word != "show" and not word.startswith("-") and (command := _meant(word)):
        raise argparse.ArgumentTypeError(
            told(f"{word!r} is no action; did you mean {command}?", f"{word!r} 不是操作；是否应为 {command}？")
        )
    return word


def _meant(word: str) -> str | None:
    """Return the command that shows the option that a word names, as far as that is clear."""
    catalog = load()
    name = word.lstrip("-").partition("=")[0]
    names = [name] if _is_known(catalog, name) else _near(catalog, name, Surface)
    return told(" or ", " 或 ").join(f"`npu-lsp options show {each}`" for each in names) or None


def _is_known(catalog: Catalog, name: str) -> bool:
    return bool(catalog.topic(name) or _rules(catalog, name)) or any(
        catalog.option(surface, name) is not None for surface in Surface
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the options that were asked for; 2 when something asked for doesn't exist."""
    try:
        config = Discovery().config_for(Path.cwd())
        catalog = extended(load(), [*config.catalog, *map(Path, arguments.catalog)])
        target = _target(arguments, catalog)
    except (CatalogError, ValueError) as error:
        stderr.tell(f"npu-lsp: {error}")
        return 2
    arguments.lang = language_of(config.language if arguments.lang == "auto" else arguments.lang)
    if arguments.action == "show":
        wanted = arguments.cann or arguments.product or arguments.target
        own = config.target.resolved(toolkit.find(), environment.installed())
        return _show(arguments, catalog, target if wanted else own)
    options = [option for option in _all(arguments, catalog) if _wanted(option, target, arguments.deprecated)]
    from npu_lsp.commands import option_lists

    write_out([option_lists.written(options, catalog, target, arguments.format, arguments.lang)])
    return 0


def _target(arguments: argparse.Namespace, catalog: Catalog) -> Target:
    asked = overrides({"target": target(arguments.target)}).get("target", {})
    versions = {name: text for name, text in asked.items() if name in COMPONENTS}
    if arguments.cann:
        versions[CANN] = arguments.cann
    known = products(catalog)
    names = [*asked.get("products", ()), *([arguments.product] if arguments.product else [])]
    for name in names:
        if known.resolve(name) is None:
            ids = ", ".join(known.ids)
            raise CommandError(f"there is no product {name!r}; it is one of {ids}", f"没有产品 {name!r}；可选：{ids}")
    for text in versions.values():
        try:
            Version.parse(text)
        except ValueError as error:
            raise ValueError(told(f"{text!r} is no version", f"{text!r} 不是版本号")) from error
    return Target.parse(versions, names)


def _surfaces(arguments: argparse.Namespace) -> tuple[Surface, ...]:
    return tuple(Surface(name) for name in arguments.surface) if arguments.surface else tuple(Surface)


def _all(arguments: argparse.Namespace, catalog: Catalog) -> Iterator[Option]:
    for surface in dict.fromkeys(_surfaces(arguments)):
        yield from catalog.options(surface)


def _wanted(option: Option, target: Target, deprecated: bool) -> bool:
    """Return whether the target has the option; what was removed counts only where a version is asked for."""
    stands = standing(option, target)
    if deprecated:
        return stands.deprecated or stands.removed
    gone = stands.removed and target.version(option.component) is not None
    return not (stands.missing or stands.unsupported or gone)


def _show(arguments: argparse.Namespace, catalog: Catalog, target: Target) -> int:
    if not arguments.name:
        raise CommandError("name an option: npu-lsp options show NAME", "请指定配置项：npu-lsp options show NAME")
    from npu_lsp.docs.markdown import bare
    from npu_lsp.docs.render import render_all, render_rule
    from npu_lsp.docs.sources import cited

    name = arguments.name.lstrip("-")
    found = [option for surface in _surfaces(arguments) if (option := catalog.option(surface, name)) is not None]
    if not found:
        found = _by_topic(arguments, catalog, name)
    pages = [render_all(catalog, found, arguments.lang, target, budget=20_000)] if found else []
    if found and arguments.sources:
        pages.append(cited(catalog, found, arguments.lang, target))
    pages += [render_rule(catalog, rule, arguments.lang) for rule in _rules(catalog, name)]
    if not pages:
        hint = _hint(arguments, catalog, name)
        raise CommandError(f"there is no option {name!r}{hint}", f"没有配置项 {name!r}{hint}")
    text = "\n\n---\n\n".join(pages)
    write_out([f"{text if arguments.format == 'markdown' else bare(text)}\n"])
    return 0


def _by_topic(arguments: argparse.Namespace, catalog: Catalog, name: str) -> list[Option]:
    """Return the options whose last part is `name`, or that are `name` under another name."""
    wanted = _surfaces(arguments)
    found = [
        option
        for surface, each in catalog.topic(name).items()
        if surface in wanted and (option := catalog.option(surface, each)) is not None
    ]
    if found:
        return found
    return [
        option
        for surface in wanted
        for each in sorted(catalog.names(surface))
        if each.rpartition(".")[2] == name and (option := catalog.option(surface, each)) is not None
    ]


def _rules(catalog: Catalog, name: str) -> list[FusionRule]:
    return [rule for rule in catalog.fusion_rules() if rule.name == name]


def _hint(arguments: argparse.Namespace, catalog: Catalog, name: str) -> str:
    names = _near(catalog, name, _surfaces(arguments))
    return did_you_mean(told(" or ", " 或 ").join(names)) if names else ""


def _near(catalog: Catalog, name: str, surfaces: Iterable[Surface]) -> list[str]:
    return sorted({near for surface in surfaces if (near := catalog.near(surface, name)) is not None})
