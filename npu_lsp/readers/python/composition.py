"""Texts that a script puts together: literals, format strings, sums. What isn't known is a hole."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from npu_lsp.readers.model import Branch, certain
from npu_lsp.readers.python.characters import Characters, characters
from npu_lsp.readers.python.evaluate import Place
from npu_lsp.readers.python.paths import path
from npu_lsp.readers.python.quiet import quietly
from npu_lsp.readers.python.scenes import Scenes, names_in
from npu_lsp.readers.python.source import Line
from npu_lsp.readers.python.view import View
from npu_lsp.readers.python.worth import TEXTS
from npu_lsp.readers.shell.expansions import HOLE

_MAX_DEPTH = 150
_PERCENT = re.compile(r"%%|%(?:\(\w*\))?[-+ #0]*[\d*]*(?:\.[\d*]+)?[a-zA-Z]")
_FIELD = re.compile(r"\{\{|\}\}|\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")


class Composer:
    """Puts texts together as the script would."""

    def __init__(self, view: View, scenes: Scenes) -> None:
        self._view = view
        self._scenes = scenes

    def text(self, node: ast.expr, place: Place, depth: int = 0) -> Characters | None:
        """Return the text that `node` is, or `None` where nothing of it is known."""
        if depth > _MAX_DEPTH:
            return None
        depth += 1
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            return self._literal(node, place)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self._sum(node, place, depth)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            template = self.text(node.left, place, depth)
            return _filled(template, _PERCENT, "%") if template is not None else None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return self._method(node, node.func, place, depth)
        if isinstance(node, ast.Name):
            bound = place.given.get(node.id) if place.given else None
            if bound is not None:
                return self.text(bound.node, Place(bound.line, place.branch, bound.given), depth)
            return self._named(node, place, depth)
        worth = self._view.evaluate.worth(node, place)
        if worth.kind in TEXTS and worth.known:
            found = Characters()
            found.put(str(worth.data), *place.line.span(node))
            return found
        return None

    def _named(self, node: ast.Name, place: Place, depth: int) -> Characters | None:
        """Return the text under a name: what is assigned to it once, and what `+=` adds."""
        built = self._view.names.built(node.id, place.line.index, place.branch)
        found: Characters | None = None
        for binding in built or ():
            line = binding.line
            if line is None:
                return None
            if not binding.augments and binding.value is not None:
                found = self.text(binding.value, Place(line, binding.branch), depth)
                continue
            added = self._added(node.id, line, binding.branch, depth) if certain(binding.branch, place.branch) else None
            if found is not None:
                found.add(added or self._hole(node, place))
        return found

    def _added(self, name: str, line: Line, branch: Branch, depth: int) -> Characters | None:
        for assignment in line.statement.assignments:
            stmt = assignment.statement
            if isinstance(stmt, ast.AugAssign) and isinstance(stmt.op, ast.Add) and path(stmt.target) == name:
                return self.text(stmt.value, Place(line, branch), depth)
        return None

    def texts(self, node: ast.expr, place: Place) -> list[tuple[Characters, Place]]:
        """Return the texts that `node` is: one, or one for each call of the function that gets it."""
        single = self.text(node, place)
        if single is not None:
            return [(single, place)]
        found: list[tuple[Characters, Place]] = []
        for scene in self._scenes.of(place, names_in(node)) or ():
            inside = Place(place.line, scene.branch + scene.inner, scene.given)
            text = self.text(node, inside)
            if text is not None:
                found.append((text, inside))
        return found

    def _literal(self, node: ast.expr, place: Place) -> Characters | None:
        statement = place.line.statement
        start, end = statement.span(node)

        def fill(code: str) -> str:
            try:
                with quietly():
                    field = ast.parse(code.strip(), mode="eval").body
            except (SyntaxError, ValueError, MemoryError, RecursionError):
                return HOLE
            worth = self._view.evaluate.worth(field, place)
            plain = worth.known and isinstance(worth.data, (str, int)) and not isinstance(worth.data, bool)
            return str(worth.data) if plain and str(worth.data) else HOLE

        found = characters(statement.text, start, end, fill)
        return found.moved(place.line.start) if found is not None else None

    def _sum(self, node: ast.BinOp, place: Place, depth: int) -> Characters | None:
        left, right = self.text(node.left, place, depth), self.text(node.right, place, depth)
        if left is None and right is None:
            return None
        found = left or self._hole(node.left, place)
        found.add(right or self._hole(node.right, place))
        return found

    def _hole(self, node: ast.expr, place: Place) -> Characters:
        found = Characters()
        found.put(HOLE, *place.line.span(node))
        return found

    def _method(self, node: ast.Call, function: ast.Attribute, place: Place, depth: int) -> Characters | None:
        if function.attr == "join" and len(node.args) == 1 and isinstance(node.args[0], (ast.List, ast.Tuple)):
            return self._join(function.value, node.args[0].elts, place, depth)
        if function.attr not in ("format", "strip", "rstrip", "lstrip"):
            return None
        template = self.text(function.value, place, depth)
        if template is None or function.attr != "format":
            return template
        return _filled(template, _FIELD, "{}")

    def _join(self, glue: ast.expr, parts: Sequence[ast.expr], place: Place, depth: int) -> Characters | None:
        between = self._view.evaluate.text(glue, place)
        if between is None:
            return None
        found = Characters()
        for part in parts:
            text = self.text(part, place, depth) or self._hole(part, place)
            if found.text and text.starts:
                found.put(between, found.ends[-1], max(found.ends[-1], text.starts[0]))
            found.add(text)
        return found


def _filled(template: Characters, pattern: re.Pattern[str], doubled: str) -> Characters:
    """Return a template with a hole in the place of each field."""
    text = "".join(template.text)
    found = Characters()
    done = 0
    for match in pattern.finditer(text):
        found.add(_part(template, done, match.start()))
        done = match.end()
        single = match.group()[0] if len(match.group()) == 2 and match.group()[0] == match.group()[1] else HOLE
        found.put(single if single in doubled else HOLE, template.starts[match.start()], template.ends[match.end() - 1])
    found.add(_part(template, done, len(text)))
    return found


def _part(whole: Characters, start: int, end: int) -> Characters:
    return Characters(whole.text[start:end], whole.starts[start:end], whole.ends[start:end])
