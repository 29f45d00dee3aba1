"""The rule that a house rule is: it runs, is silenced, selected, reported and fixed as all others are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote
from typing import Any, ClassVar

from npu_lsp.catalog.model import Scalar, as_text
from npu_lsp.languages.model import Block, Setting
from npu_lsp.languages.registry import PAGES
from npu_lsp.languages.writers import Added, writer_for
from npu_lsp.linter.configuration import Config
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Fix, Safety
from npu_lsp.linter.house.rows import HouseRow, Ref, row, shows
from npu_lsp.linter.house.settings import (
    beside,
    equal,
    fits,
    holds,
    in_block,
    in_launch,
    may_be_set,
    meant,
    number,
    part_of,
    share_a_block,
    surely_not,
)
from npu_lsp.linter.launch.launch import Launch, launches
from npu_lsp.linter.launch.programs import programs
from npu_lsp.linter.rule import Fixable, Rule
from npu_lsp.linter.values import shown
from npu_lsp.text.bilingual import Language, Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span, line_start

_MESSAGES = {
    "required": Text(
        en='"{option}" is not set here; the house rule "{rule}" asks for it.',
        zh="此处未设置“{option}”；自定义规则“{rule}”要求设置。",
    ),
    "forbidden": Text(
        en='The house rule "{rule}" forbids "{option}".',
        zh="自定义规则“{rule}”禁止设置“{option}”。",
    ),
    "forbidden_value": Text(
        en='"{option}" is {value}, which the house rule "{rule}" forbids.',
        zh="“{option}”的取值为 {value}，自定义规则“{rule}”禁止该取值。",
    ),
    "range": Text(
        en='"{option}" is {value}; the house rule "{rule}" asks for {bounds}.',
        zh="“{option}”的取值为 {value}；自定义规则“{rule}”要求 {bounds}。",
    ),
    "other_value": Text(
        en='"{option}" is {value}; the house rule "{rule}" allows {allowed}.',
        zh="“{option}”的取值为 {value}；自定义规则“{rule}”仅允许 {allowed}。",
    ),
    "differs": Text(
        en='"{option}" is {value} and "{other}" is {its}; the house rule "{rule}" asks for the same.',
        zh="“{option}”的取值为 {value}，“{other}”的取值为 {its}；自定义规则“{rule}”要求二者相同。",
    ),
    "alone": Text(
        en='"{option}" is set without "{other}"{values}, which the house rule "{rule}" asks for.',
        zh="设置了“{option}”但未设置“{other}”{values}；自定义规则“{rule}”要求同时设置。",
    ),
    "together": Text(
        en='"{option}" stands beside "{other}", which the house rule "{rule}" forbids.',
        zh="“{option}”与“{other}”同时设置，自定义规则“{rule}”禁止这样使用。",
    ),
    "add": Text(en='Set "{option}" to {value}', zh="将“{option}”设为 {value}"),
}
_LEAST = Text(en="at least {0}", zh="不小于 {0}")
_MOST = Text(en="at most {0}", zh="不大于 {0}")
_WITH = Text(en=" ({0})", zh="（{0}）")
_ABOUT = Text(en="A house rule about `{0}`.", zh="关于 `{0}` 的自定义规则。")
_WHAT = Text(en="## What it does\n{0}", zh="## 检查内容\n{0}")
_IN = Text(
    en="It stands in the configuration as `[house-rules.{0}]`; `npu-lsp config --test` runs its examples.",
    zh="该规则在配置中的位置为 `[house-rules.{0}]`；`npu-lsp config --test` 运行其示例。",
)


class HouseRule(Rule):
    """A constraint that people wrote themselves; each row has a class of its own."""

    row: ClassVar[HouseRow]
    messages = _MESSAGES

    def prose(self, language: Language) -> str:
        """Return what its page says between the head and how it is silenced."""
        about = _ABOUT.to(language).format(self.row.setting.name)
        parts = [about, _WHAT.to(language).format(self.title.to(language)), _IN.to(language).format(self.name)]
        label = {True: "Bad" if language == "en" else "错误", False: "Good" if language == "en" else "正确"}
        parts += [f"{label[e.bad]}:\n```{e.kind.value}\n{e.text.rstrip()}\n```" for e in self.row.examples]
        return "\n\n".join(parts)

    def check_block(self, block: Block, context: Context) -> Iterator[Finding]:
        """Look at what the rule is about, and at what stands beside it in the block."""
        row = self.row
        if not self._is_in_scope(context):
            return
        if row.require and self._must_hold(block, context) and holds(row.condition, context, None, block):
            yield self._told(context, block.head, "required", None)
        if not row.constraint:
            return
        for setting in in_block(row.setting, block, context):
            if meant(row.setting, setting) and self._holds_for(setting, block, context):
                yield from self._value(setting, context)
                yield from self._relations(setting, block, context)

    def check_launch(self, launch: Launch, context: Context) -> Iterator[Finding]:
        """Look at what a launch lacks, and at what it gets from several places."""
        row = self.row
        if not self._is_in_scope(context) or not holds(row.condition, context, launch, None):
            return
        if row.require and self._lacks(row.setting, launch, context):
            yield self._told(context, launch.block.head, "required", None, self._added(launch, context))
        if row.constraint not in ("equals", "only-with", "never-with"):
            return
        for setting in in_launch(row.setting, launch, context):
            if not meant(row.setting, setting):
                continue
            for other in row.others:
                found = [
                    each for each in in_launch(other, launch, context) if not share_a_block(setting, each, context)
                ]
                yield from self._compared(setting, other, found, context)
                if row.constraint == "only-with" and self._lacks(other, launch, context):
                    yield self._alone(setting, other, context)

    # -- one value --------------------------------------------------------------------------------------

    def _value(self, setting: Setting, context: Context) -> Iterator[Finding]:
        row, value = self.row, setting.value
        found = number(value)
        if row.constraint == "forbid" and (not row.values or any(fits(value, each) for each in row.values)):
            message = "forbidden_value" if row.values else "forbidden"
            yield self._told(context, setting.key if not row.values else value.span, message, setting)
        elif row.constraint == "one-of" and value.known and not any(fits(value, each) for each in row.values):
            allowed = shows(row.values, "、" if context.language == "zh" else ", ")
            yield self._told(context, value.span, "other_value", setting, allowed=allowed)
        elif row.constraint in ("between", "at-least", "at-most") and found is not None:
            low, high = row.bounds
            if (low is not None and found < low) or (high is not None and found > high):
                yield self._told(context, value.span, "range", setting, bounds=self._bounds(context.language))

    def _bounds(self, language: Language) -> str:
        low, high = self.row.bounds
        if low is not None and high is not None:
            return f"{low} – {high}"
        return _LEAST.to(language).format(low) if low is not None else _MOST.to(language).format(high)

    # -- several settings -------------------------------------------------------------------------------

    def _relations(self, setting: Setting, block: Block, context: Context) -> Iterator[Finding]:
        row = self.row
        for other in row.others:
            found = in_block(other, block, context)
            yield from self._compared(setting, other, found, context)
            if row.constraint != "only-with" or found or block.open or context.parsed.damaged:
                continue
            if block.surface in other.names(context.catalog) and not self._is_launched(block, context):
                yield self._alone(setting, other, context)

    def _compared(self, setting: Setting, other: Ref, found: Sequence[Setting], context: Context) -> Iterator[Finding]:
        """Yield what is wrong with settings that hold together."""
        kind = self.row.constraint
        for each in found:
            if not beside(setting, each) or each.key == setting.key:
                continue
            if kind == "never-with" and meant(other, each):
                yield self._told(context, setting.key, "together", setting, other=each)
            elif kind == "equals" and equal(setting.value, each.value) is False:
                yield self._told(context, setting.value.span, "differs", setting, other=each)
            elif kind == "only-with" and surely_not(other, each):
                yield self._alone(setting, other, context, each)

    def _alone(self, setting: Setting, other: Ref, context: Context, its: Setting | None = None) -> Finding:
        values = _WITH.to(context.language).format(shows(other.values, " / ")) if other.values else ""
        return self._told(context, setting.key, "alone", setting, other=its, missing=other.name, values=values)

    def _lacks(self, ref: Ref, launch: Launch, context: Context) -> bool:
        """Return whether a launch surely gets nothing of what `ref` names, though it could take it."""
        if context.document.kind in PAGES or context.parsed.damaged or launch.block.open:
            return False
        names, surfaces = ref.names(context.catalog), {launch.block.surface}
        if launch.inner is not None:
            surfaces.add(launch.inner.surface)
        of_command = launch.block.command is not None
        takes = any(each in surfaces or (each.row.environment and of_command) for each in names)
        return takes and not may_be_set(ref, launch, context)

    def _must_hold(self, block: Block, context: Context) -> bool:
        """Return whether a block that starts nothing must set what the rule is about, and surely doesn't."""
        setting, rows = self.row.setting, programs(context.catalog)
        if block.surface not in setting.names(context.catalog) or block.surface in rows:
            return False
        if setting.part:
            # The part of a deployment's file is all there.
            return setting.part == part_of(block, context) and not in_block(setting, block, context)
        if block.surface.row.environment or block.open:
            return False
        return not (context.parsed.damaged or in_block(self.row.setting, block, context))

    def _is_launched(self, block: Block, context: Context) -> bool:
        """Return whether launches get what a block sets: then they are asked."""
        if block.surface.row.environment:
            from npu_lsp.languages.shell.sourcing import sources_own

            return bool(launches(context)) or sources_own(context.document, len(context.document.text))
        return any(each.block.id == block.id or block.span.within(each.span) for each in launches(context))

    # -- where it holds ---------------------------------------------------------------------------------

    def _is_in_scope(self, context: Context) -> bool:
        if not self.row.in_files:
            return True
        from npu_lsp.linter.selection import path_matches

        return path_matches(self.row.in_files, context.document.path, context.root)

    def _holds_for(self, setting: Setting, block: Block, context: Context) -> bool:
        condition = self.row.condition
        if not (condition.programs or condition.models):
            return holds(condition, context, None, block)
        if not condition.programs and holds(condition, context, None, block):
            return True
        return any(
            setting in in_launch(self.row.setting, launch, context) and holds(condition, context, launch, block)
            for launch in launches(context)
        )

    # -- what is said -----------------------------------------------------------------------------------

    def _told(
        self,
        context: Context,
        span: Span,
        message: str,
        setting: Setting | None,
        fixes: Sequence[Fix] | None = None,
        *,
        other: Setting | None = None,
        missing: str = "",
        **arguments: Any,
    ) -> Finding:
        row, option = self.row, setting.name if setting is not None else self.row.setting.name
        value, its = _shown(setting), _shown(other)
        arguments |= {"rule": row.name, "value": value, "its": its}
        arguments["other"] = missing or (other.name if other is not None else "")
        found = self.finding(
            context,
            span,
            message,
            option=option,
            surface=setting.surface if setting is not None else None,
            fixes=self._fixes(setting, context) if fixes is None and setting is not None else fixes or (),
            related=self.set_here(context, other),
            **arguments,
        )
        if row.message is None:
            return found
        said = row.message.to(context.language)
        for name, word in {**arguments, "option": option}.items():
            said = said.replace(f"{{{name}}}", str(word))
        return found._replace(message=said)

    @property
    def _safety(self) -> Safety:
        return Safety.SAFE if self.row.is_safe else Safety.UNSAFE

    def _fixes(self, setting: Setting, context: Context) -> list[Fix]:
        row = self.row
        if row.removes:
            edits = writer_for(setting).remove(context.document, [setting])
            return self.fix(context, "remove", edits, self._safety, option=setting.name)
        return self.changed(context, setting, self._as_written(setting, row.fix), self._safety)

    def _as_written(self, setting: Setting, value: Scalar) -> Scalar:
        """Return the fix's value as the option takes it: a variable is a text, whatever it says."""
        if setting.surface.row.environment and value is not None and not isinstance(value, str):
            return as_text(value)
        return value

    def _added(self, launch: Launch, context: Context) -> list[Fix]:
        """Return the fix that sets what a launch lacks: a flag behind its others, or a line above the command."""
        row, block = self.row, launch.block
        if row.fix is None:
            return []
        names = row.setting.names(context.catalog)
        title = {"option": row.setting.name, "value": shown(row.fix)}
        for each in (block, launch.inner):
            name = names.get(each.surface) if each is not None else None
            if each is not None and name is not None and each.settings:
                new, last = Added(name, row.fix), each.settings[-1]
                edits = writer_for(last).add(context.document, each, last, new)
                return self.fix(context, "add", edits, self._safety, **title)
        text = context.document.text
        start = line_start(text, launch.span.start)
        indent, before = text[start : launch.span.start], text[:start].rstrip("\r\n")
        if context.document.kind is not Kind.SHELL or indent.strip() or before.endswith("\\"):
            return []
        variable = next(name for surface, name in names.items() if surface.row.environment)
        line = f"{indent}export {variable}={quote(as_text(row.fix))}{context.document.newline_at(start)}"
        return self.fix(context, "add", [Edit(Span(start, start), line)], self._safety, **title)


def _shown(setting: Setting | None) -> str:
    """Return a known value as messages show it; a number bare, also that of a variable."""
    if setting is None or not setting.value.known:
        return ""
    data = setting.value.data
    return str(data) if number(setting.value) is not None else shown(data, setting.form)


def _rule_of(row: HouseRow) -> HouseRule:
    """Return the rule that a row says."""
    title = Text(_summary(row, "en"), _summary(row, "zh"))
    if row.message is not None and "{" not in row.message.en + row.message.zh:
        title = row.message
    facts: dict[str, Any] = {
        "code": row.name,
        "name": row.name,
        "title": title,
        "severity": row.severity,
        "fixable": Fixable.SOMETIMES if row.fix is not None or row.removes else Fixable.NEVER,
        "row": row,
    }
    made: HouseRule = type("HouseRule", (HouseRule,), facts)()
    return made


def house_rules(config: Config) -> tuple[HouseRule, ...]:
    """Return the rules that a configuration adds, by name."""
    return tuple(_rule_of(row(name, table)) for name, table in sorted(config.house_rules.items()))


def rules_with(config: Config, rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Return `rules` and those that a configuration adds."""
    return (*rules, *house_rules(config)) if config.house_rules else tuple(rules)


_SUMMARIES: Mapping[str, Text] = {
    "": Text("must be set", "必须设置"),
    "forbid": Text("must not be {0}", "不得为 {0}"),
    "one-of": Text("must be {0}", "应为 {0}"),
    "between": Text("must be {0}", "取值范围 {0}"),
    "at-least": Text("must be at least {0}", "不得小于 {0}"),
    "at-most": Text("must be at most {0}", "不得大于 {0}"),
    "equals": Text("must be the same as {0}", "应与 {0} 相同"),
    "only-with": Text("only beside {0}", "仅可与 {0} 同时设置"),
    "never-with": Text("never beside {0}", "不得与 {0} 同时设置"),
}
_NOT_SET = Text("must not be set", "不得设置")


def _summary(row: HouseRow, language: Language) -> str:
    bounds = " – ".join(str(each) for each in row.bounds if each is not None)
    names = shows(tuple(each.name for each in row.others), ", ")
    what = shows(row.values, ", ") or bounds or names
    said = _NOT_SET if row.constraint == "forbid" and not row.values else _SUMMARIES[row.constraint]
    return f"{row.setting.name}: {said.to(language).format(what)}"
