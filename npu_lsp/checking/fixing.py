"""Fixes one file on disk, or tells what fixing it would change."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import PurePosixPath

from npu_lsp.checking import stderr
from npu_lsp.checking.checked import Checked, FixMode, Request, SourceText
from npu_lsp.checking.entries import entries
from npu_lsp.checking.loading import State
from npu_lsp.checking.walking import Candidate
from npu_lsp.checking.writing import ChangedError, KeptError, create, replacing, tidy
from npu_lsp.linter.analysis import Analyzer
from npu_lsp.linter.findings import NewFile
from npu_lsp.linter.fixing.rounds import Find, Fixed, fixed
from npu_lsp.text.bilingual import Text as Told
from npu_lsp.text.document import Document
from npu_lsp.text.links import behind_link
from npu_lsp.text.small_file import read, reason
from npu_lsp.text.terminal import printable

_KEPT = Told(en="{path}: {why}; nothing was fixed", zh="{path}：{why}，未修复")
_TAKEN = Told(
    en="{path}: {file} was made in the meantime; nothing was fixed", zh="{path}：{file} 已被其他进程创建，未修复"
)
_REFUSED = Told(
    en="{path}: a fix of {code} would break the file, or not mend it, and was not made ({count})",
    zh="{path}：{code} 的修复会破坏该文件或不起作用，未执行（{count} 处）",
)
_BYTES = Told(
    en="{path}: {encoding} doesn't keep all of its bytes; nothing was fixed",
    zh="{path}：按 {encoding} 编码写回会改变其他字节，未修复",
)
_CHANGED = Told(
    en="{path}: changed while it was checked; nothing was fixed", zh="{path}：检查期间文件发生了变化，未修复"
)
_CHARACTERS = Told(
    en="{path}: the fix has characters that {encoding} can't hold; nothing was fixed",
    zh="{path}：修复内容包含 {encoding} 无法表示的字符，未修复",
)
_UNWRITTEN = Told(
    en="{path}: can't be written ({reason}); nothing was fixed", zh="{path}：无法写入（{reason}），未修复"
)


def fix_file(
    candidate: Candidate,
    document: Document,
    text: SourceText,
    analyzer: Analyzer,
    request: Request,
) -> Checked:
    """Make the fixes that `request` allows and return what is left; on disk where it says so."""
    find = _find(candidate, analyzer, request)
    try:
        return _mend(candidate, document, text, find, request)
    except FileExistsError:
        # Another process made a file of the same name; seen with it, the fix takes another name.
        fresh = Document(document.text, path=document.path, kind=document.kind)
        try:
            return _mend(candidate, fresh, text, find, request)
        except FileExistsError as error:
            stderr.warn(_TAKEN, path=candidate.path, file=error.filename)
    return _untouched(candidate, document, find)


def _find(candidate: Candidate, analyzer: Analyzer, request: Request) -> Find:
    """Return what tells the findings of a text, of which those are to be mended that are asked for."""
    if not request.wishes:
        return analyzer.findings
    wishes = [wish for wish in request.wishes if wish.path == candidate.absolute]
    from npu_lsp.checking.wishes import wished

    return lambda document: (
        *(finding._replace(fixes=()) for finding in analyzer.findings(document)),
        *wished(document, wishes, request.language),
    )


def _mend(candidate: Candidate, document: Document, text: SourceText, find: Find, request: Request) -> Checked:
    folder = os.path.dirname(candidate.absolute)
    done = _done(document, find, request, candidate.path, folder)
    for code, count in done.refused.items():
        stderr.warn(_REFUSED, path=candidate.path, code=code, count=count)
    left = Checked(entries(candidate.path, done.document, find(done.document)), fixed=done.counts)
    if not done.counts:
        return left._replace(data=text.data)
    if text.decoded.encode(document.text) != text.data:
        # Some codecs have two byte sequences for one character: what isn't touched would change too.
        stderr.warn(_BYTES, path=candidate.path, encoding=text.decoded.encoding)
        return _untouched(candidate, document, find)
    try:
        data = text.decoded.encode(done.document.text)
        if request.write:
            _write(candidate, folder, data, done, text.state)
            return left
    except ChangedError:
        stderr.warn(_CHANGED, path=candidate.path)
    except KeptError as error:
        stderr.warn(_KEPT, path=candidate.path, why=error.told.to(request.language))
    except UnicodeEncodeError:
        stderr.warn(_CHARACTERS, path=candidate.path, encoding=text.decoded.encoding)
    except FileExistsError:
        raise
    except OSError as error:
        stderr.warn(_UNWRITTEN, path=candidate.path, reason=reason(error))
    else:
        return left._replace(data=data, diff=_diff(candidate, document, done))
    return _untouched(candidate, document, find)


def _done(document: Document, find: Find, request: Request, path: str, folder: str) -> Fixed:
    if request.mending is FixMode.SILENCED:
        from npu_lsp.linter.suppressions.writing import silenced

        return silenced(document, find)
    if request.mending is FixMode.ASKED and request.ask is not None:
        from npu_lsp.linter.fixing.asked import asked

        ask = partial(request.ask, path)
        return asked(document, find, ask, lambda file: _may_create(folder, file))
    unsafe = request.mending is FixMode.ALL
    return fixed(document, find, unsafe=unsafe, may_create=lambda file: _may_create(folder, file))


def _untouched(candidate: Candidate, document: Document, find: Find) -> Checked:
    return Checked(entries(candidate.path, document, find(document)))


def _may_create(folder: str, file: NewFile) -> bool:
    """Return whether a file that a fix needs can come to be: inside the folder, and in the place of no other one."""
    path = PurePosixPath(file.path)
    if path.is_absolute() or ".." in path.parts or not path.name:
        return False
    try:
        content, target = file.text.encode(), os.path.join(folder, path)
        return not behind_link(target, folder) and read(target, len(content), links=False) == content
    except FileNotFoundError:
        return True
    except OSError:
        return False


def _write(candidate: Candidate, folder: str, data: bytes, done: Fixed, state: State | None) -> None:
    tidy(folder)
    made: list[str] = []
    with replacing(candidate.absolute, data, state, links=candidate.explicit) as finish:
        try:
            for name, text in done.files.items():
                target = os.path.join(folder, name)
                os.makedirs(os.path.dirname(target), exist_ok=True)
                # Before the file that points to it: killed in between, nothing points to what isn't there.
                if create(target, text.encode()):
                    made.append(target)
            finish()
        except BaseException:
            for target in made:
                with suppress(OSError):
                    os.unlink(target)
            raise


def _diff(candidate: Candidate, before: Document, done: Fixed) -> str:
    parts = [difference(candidate.path, before, done.document)]
    folder = os.path.dirname(candidate.path)
    new: Mapping[str, str] = {os.path.join(folder, name): text for name, text in sorted(done.files.items())}
    parts += [
        _unified("/dev/null", path, [], text.splitlines(keepends=True))
        for path, text in new.items()
        if not os.path.lexists(os.path.join(os.path.dirname(candidate.absolute), os.path.relpath(path, folder or ".")))
    ]
    return "".join(parts)


def difference(path: str, before: Document, after: Document) -> str:
    """Return what differs between two texts of the file at a shown path, as a patch."""
    return _unified(path, path, _lines(before), _lines(after))


def _unified(old: str, new: str, before: list[str], after: list[str]) -> str:
    from difflib import unified_diff

    lines = unified_diff(before, after, _quoted(old), _quoted(new))
    return "".join(line if line.endswith(("\n", "\r")) else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _quoted(path: str) -> str:
    """Return a name as Git and GNU patch read it: in C's quotes where it has a sign that a log shouldn't have, else as it is."""
    if printable(path, _octal, _octal("#")) == path:
        return path
    inner = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{printable(inner, _octal, _octal("#"))}"'


def _octal(char: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in os.fsencode(char))


def _lines(document: Document) -> list[str]:
    starts = document.line_starts
    lines = [document.text[start:end] for start, end in zip(starts, [*starts[1:], len(document.text)], strict=True)]
    return [line for line in lines if line]
