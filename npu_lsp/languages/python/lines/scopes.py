"""What surrounds a logical line: headers, functions, branches. Told from indentation alone."""

from __future__ import annotations

from npu_lsp.languages.branches import Arm, Branch, Branching
from npu_lsp.languages.python.lines.logical_lines import LogicalLines, Rescanned
from npu_lsp.text import lazy_re as re

MODULE = -1
"""The scope of lines outside any function or class."""

_HEADER = re.compile(
    r"(?P<word>if|elif|else|for|while|try|except|finally|with|match|case|def|class|async[ \t]+(?:def|for|with))\b(?!\s*=)"
)
_EXITS = re.compile(r"(?:return|raise|continue|break)\b|(?:sys\.)?exit\(|os\._exit\(|quit\(")


def exits_early(text: str, start: int) -> bool:
    """Return whether the statement that starts at `start` leaves its suite, and all behind it."""
    return _EXITS.match(text, start) is not None


class Scopes:
    """Answers about the surroundings of logical lines, by index; what was asked once is kept."""

    def __init__(self, text: str, logical_lines: LogicalLines) -> None:
        self._text = text
        self._logical_lines = logical_lines
        self._parents: dict[int, int] = {}
        self._scopes: dict[int, int] = {}
        self._functions: dict[int, int] = {}
        self._headers: dict[int, str] = {}
        self._branches: dict[int, Branch] = {}
        self._arms: dict[int, Branch] = {}
        self._suite_ends: dict[int, int] = {}

    def edited(self, text: str, change: Rescanned) -> Scopes:
        """Return the surroundings of the lines of a changed text.

        What is known is told by indentations and headers: it holds where these are the same.
        """
        new = Scopes(text, change.lines)
        same = new._logical_lines.indents == self._logical_lines.indents
        if same and all(self.header(index) == new.header(index) for index in range(change.first, change.behind)):
            new._parents, new._scopes, new._functions = self._parents, self._scopes, self._functions
            new._headers, new._branches, new._arms = self._headers, self._branches, self._arms
            new._suite_ends = self._suite_ends
        return new

    def header(self, index: int) -> str:
        """Return the word of the header at `index` (`if`, `def`, ...), or an empty string where there is none."""
        known = self._headers.get(index)
        if known is None:
            found = _HEADER.match(self._text, self._logical_lines.starts[index])
            known = self._headers[index] = found["word"].split()[-1] if found else ""
        return known

    def parent(self, index: int) -> int:
        """Return the line whose suite holds the one at `index`, or `MODULE`."""
        known = self._parents.get(index)
        if known is not None:
            return known
        indents = self._logical_lines.indents
        indent = indents[index]
        passed: list[int] = [index]
        above = index - 1
        while above >= 0 and indents[above] >= indent:
            if indents[above] == indent:
                if above in self._parents:
                    above = self._parents[above]
                    break
                if len(passed) < 64:
                    passed.append(above)
            above -= 1
        for line in passed:
            self._parents[line] = above
        return above

    def scope(self, index: int) -> int:
        """Return the `def` or `class` whose suite holds the line, or `MODULE`."""
        known = self._scopes.get(index)
        if known is not None:
            return known
        above = self.parent(index)
        while above != MODULE and self.header(above) not in ("def", "class"):
            above = self.parent(above)
        self._scopes[index] = above
        return above

    def function(self, index: int) -> int:
        """Return the `def` around the line, or `MODULE`."""
        known = self._functions.get(index)
        if known is not None:
            return known
        above = self.scope(index)
        while above != MODULE and self.header(above) != "def":
            above = self.scope(above)
        self._functions[index] = above
        return above

    def class_of(self, index: int) -> int:
        """Return the innermost class around the line, or `MODULE`."""
        above = self.scope(index)
        while above != MODULE and self.header(above) != "class":
            above = self.scope(above)
        return above

    def branch(self, index: int, *, inline: bool = False) -> Branch:
        """Return the branches around the line; with `inline`, around the suite that stands on the line itself."""
        if inline:
            return self.branch(index) + self._arm(index)
        chain: list[int] = []
        branch = self._branches.get(index)
        while branch is None:
            chain.append(index)
            index = self.parent(index)
            branch = () if index == MODULE else self._branches.get(index)
        for line in reversed(chain):
            above = self.parent(line)
            if above != MODULE:
                branch += self._arm(above)
            self._branches[line] = branch
        return branch

    def suite_end(self, index: int) -> int:
        """Return the index of the first line behind the suite of the header at `index`."""
        known = self._suite_ends.get(index)
        if known is not None:
            return known
        indents = self._logical_lines.indents
        end = index + 1
        while end < len(indents) and indents[end] > indents[index]:
            end += 1
        self._suite_ends[index] = end
        return end

    def arms(self, owner: int) -> list[int]:
        """Return the headers of all arms of the `if` at `owner`, itself first."""
        found = [owner]
        indents = self._logical_lines.indents
        index = owner + 1
        while index < len(indents) and indents[index] >= indents[owner]:
            if indents[index] == indents[owner]:
                if self.header(index) not in ("elif", "else"):
                    break
                found.append(index)
            index += 1
        return found

    def _arm(self, header: int) -> Branch:
        """Return which arm of which branching the suite of `header` is."""
        known = self._arms.get(header)
        if known is None:
            known = self._arms[header] = self._find_arm(header)
        return known

    def _find_arm(self, header: int) -> Branch:
        word = self.header(header)
        if word in ("if", "for", "while", "try"):
            return (_arm_of(header, 0),)
        if word == "case":
            above = self.parent(header)
            return (_arm_of(above, header),) if above != MODULE else (_arm_of(header, 0),)
        if word in ("elif", "else", "except"):
            owner = self._owner(header, word)
            if owner == MODULE:
                return (_arm_of(header, 0),)
            owner_word = self.header(owner)
            if word == "else" and owner_word == "try":
                # It runs after the whole suite of `try`, which may run without it.
                return (_arm_of(owner, 0), _arm_of(header, 0))
            if owner_word in ("for", "while"):
                return (_arm_of(header, 0),)
            return (_arm_of(owner, header),)
        return ()

    def _owner(self, header: int, word: str) -> int:
        """Return the `if`, `for`, `while` or `try` that `header` belongs to."""
        owners = {"elif": ("if",), "except": ("try",), "else": ("if", "for", "while", "try")}[word]
        indents = self._logical_lines.indents
        indent = indents[header]
        above = header - 1
        while above >= 0 and indents[above] >= indent:
            if indents[above] == indent:
                found = self.header(above)
                if found in owners:
                    return above
                if found not in ("elif", "except"):
                    break
                known = self._arms.get(above)
                if known is not None:
                    # The arm above has the same owner, or none.
                    owner = known[0].where[0]
                    return owner if self.header(owner) in owners else MODULE
            above -= 1
        return MODULE


def _arm_of(header: int, arm: int) -> Arm:
    return Arm(Branching.CONDITION, (header,), arm)
