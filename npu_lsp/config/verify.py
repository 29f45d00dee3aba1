"""Checks what only the rules and the catalog can tell of a configuration: whether the things exist that it names."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from npu_lsp.config.errors import NOT_SHOWN, ConfigError, ConfigProblem, is_hidden
from npu_lsp.linter.configuration import Config
from npu_lsp.text.bilingual import Said, Text, did_you_mean, placed


def verify(config: Config, warn: Callable[[Text], object]) -> None:
    """Raise `ConfigError` when `config` names a rule, a product, a version or a catalog that doesn't exist.

    What doesn't keep it from being used goes to `warn`.
    """
    found = problems(config)
    errors = [problem for problem in found if not problem.warning]
    if errors:
        raise ConfigError(errors)
    for problem in found:
        warn(Text(problem.told("en"), problem.told("zh")))


def problems(config: Config) -> list[ConfigProblem]:
    """Return what `config` names that isn't there. Rules and catalog are loaded only when something of theirs is named."""
    return [*_size(config), *_rules(config), *_target(config), *_catalog(config), *_house_rules(config)]


def _size(config: Config) -> Iterator[ConfigProblem]:
    if config.max_file_size < 1:
        yield _problem(config, "max-file-size", Text("must be 1 or more", "不能小于 1"))


def _rules(config: Config) -> Iterator[ConfigProblem]:
    lists = {
        "select": config.select,
        "extend-select": config.extend_select,
        "ignore": config.ignore,
        "extend-safe-fixes": config.extend_safe_fixes,
        "extend-unsafe-fixes": config.extend_unsafe_fixes,
        "per-file-ignores": tuple(word for _, words in config.per_file_ignores for word in words),
        "severity": tuple(config.severity),
    }
    if not any(lists.values()):
        return
    from npu_lsp.rules import all_rules

    codes = [rule.code for rule in all_rules()]
    names = [*config.house_rules, *(rule.name for rule in all_rules())]
    for key, words in lists.items():
        for word in words:
            known = word.upper() in codes or word.lower() in names
            if key != "severity":
                known = (
                    known or word.upper() in ("ALL", "HOUSE") or any(code.startswith(word.upper()) for code in codes)
                )
            if not known:
                yield _problem(
                    config,
                    key,
                    Text(f"there is no rule {word!r}", f"没有规则 {word!r}"),
                    _near(word, [*codes, *names]),
                    word,
                )


def _target(config: Config) -> Iterator[ConfigProblem]:
    target = config.target
    for component, version in target.versions.items():
        yield from _version(config, component, version)
    if target.products:
        from npu_lsp.catalog.load import load
        from npu_lsp.catalog.products import products

        known = products(load())
        for name in target.products:
            if known.resolve(name) is None:
                listed = ", ".join(known.ids)
                # A number that is nearly another one is another product.
                meant = known.meant(name, known.soc_versions)
                near = _near(name, [meant]) if meant is not None else None
                missing = Text(f"there is no product {name!r}", f"没有产品 {name!r}")
                yield _problem(config, "target", missing, near or Text(f"one of {listed}", f"可选 {listed}"), name)


def _version(config: Config, component: str, version: str) -> Iterator[ConfigProblem]:
    from npu_lsp.catalog.components import COMPONENTS
    from npu_lsp.catalog.load import load
    from npu_lsp.catalog.target import Version

    try:
        asked = Version.parse(version)
    except ValueError as error:
        example = COMPONENTS[component].example
        hint = Text(f'write it as in "{example}"', f'写法如 "{example}"')
        wrong = Text(f"{component}: {error}", f"{component}：{version!r} 不是版本号")
        yield _problem(config, "target", wrong, hint, version)
        return
    lines = load().plain("versions").get(component, {})
    newest = max((Version.parse(each) for facts in lines.values() for each in facts["releases"]), default=None)
    if newest is not None and not newest.reaches(asked):
        title = COMPONENTS[component].title
        late = Text(
            f"{component}: {version} is newer than what this npu-lsp knows, which is {title} {newest}; that counts instead",
            f"{component}：{version} 比当前 npu-lsp 了解的最新版本 {title} {newest} 更新，按后者检查",
        )
        yield _problem(config, "target", late, None, version)._replace(warning=True)


def _catalog(config: Config) -> Iterator[ConfigProblem]:
    if not config.catalog:
        return
    from npu_lsp.catalog.errors import CatalogError
    from npu_lsp.catalog.extend import extended
    from npu_lsp.catalog.load import load

    try:
        extended(load(), config.catalog)
    except CatalogError as error:
        if is_hidden(error.path, config.root):
            yield ConfigProblem(error.path, None, NOT_SHOWN)
        elif isinstance(error.__cause__, FileNotFoundError):
            # Who named it is what's wrong.
            word = str(error.path)
            yield _problem(config, "catalog", Text(f"there is no file {word!r}", f"没有文件 {word!r}"), None, word)
        else:
            yield ConfigProblem(error.path, error.line, error.message, error.suggestion)


def _house_rules(config: Config) -> Iterator[ConfigProblem]:
    if not config.house_rules:
        return
    from npu_lsp.catalog.errors import CatalogError
    from npu_lsp.catalog.extend import extended
    from npu_lsp.catalog.load import load
    from npu_lsp.config.house_verify import wrong

    try:
        catalog = extended(load(), config.catalog)
    except CatalogError:
        return  # That is told already, and what it would add isn't known.
    for rule, key, message, suggestion, word in wrong(config.house_rules, catalog):
        at = f"{rule}.{key}" if key else rule
        yield _problem(config, "house-rules", placed(at, message), suggestion, word, rule)


def _problem(
    config: Config, key: str, message: Text, suggestion: Said | None = None, word: str | None = None, inner: str = ""
) -> ConfigProblem:
    origin = config.origins.get(f"{key}.{inner}") or config.origins.get(key, "configuration")
    return ConfigProblem(origin, None, placed(key, message), suggestion, word)


def _near(word: str, known: list[str]) -> Text | None:
    from difflib import get_close_matches

    plain = {each.lower(): each for each in known}
    close = get_close_matches(word.lower(), plain, 1, 0.7)
    return did_you_mean(plain[close[0]]) if close else None
