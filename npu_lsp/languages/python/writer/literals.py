"""Values as Python writes them, with the quotes of their neighbours, and expressions in their place: as bytes where bytes are wanted."""

from __future__ import annotations

from npu_lsp.catalog.model import Scalar
from npu_lsp.languages.model import Form, Setting, ValueKind
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.memo import Memoized
from npu_lsp.text.spans import Span

_AS_BYTES = ".as_bytes"
_OWNER = re.compile(r"(?<![\w.])[^\W\d][\w.]*\Z")
_LONGEST_OWNER = 100
_QUOTE = re.compile(r"[\"']")
_PREFIX = re.compile(r"""[A-Za-z]{1,2}(?=["']+\Z)""")
_LITERAL = re.compile(r"""[A-Za-z]{0,2}["']""")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def plain(value: Scalar) -> str:
    """Return a value that is no text as Python writes it."""
    return repr(value)


def wants_bytes(setting: Setting, slot: str | None) -> bool:
    """Return whether the setting's value must be bytes: that of a `.s` field, or where bytes stand now."""
    if slot is None:
        slot = setting.slot
    return slot == "s" if slot is not None else setting.value.kind is ValueKind.BYTES


def is_shared(setting: Setting) -> bool:
    """Return whether the value stands where a loop or a function uses it for other settings, too."""
    return setting.form is Form.ITEM and not setting.value.span.within(setting.own)


def is_converted_elsewhere(document: Document, setting: Setting) -> bool:
    """Return whether a loop or a function makes bytes of the text that is written at the setting."""
    if setting.form is not Form.ITEM or setting.slot is None or setting.value.kind is not ValueKind.BYTES:
        return False
    written = document.text[setting.value.span.start : setting.value.span.end]
    literal = _LITERAL.match(written)
    return literal is not None and "b" not in literal.group().lower()


def fits(value: str, document: Document, content: Span) -> bool:
    """Return whether `value` can stand as it is between the quotes around `content`."""
    if any(char in "\"'\\\r\n" for char in value):
        return False
    prefix = _PREFIX.search(document.text, max(content.start - 6, 0), content.start)
    return value.isascii() or prefix is None or "b" not in prefix.group().lower()


_TENSORFLOW = re.compile(
    r"^[ \t]*import[ \t]+tensorflow(?:\.compat\.v1)?(?:[ \t]+as[ \t]+(?P<name>\w+))?[ \t]*(?:#.*)?\r?$", re.MULTILINE
)


def _quote_of(document: Document, *spans: Span) -> str:
    """Return the quotation mark that is used in or around the first of `spans` that has one."""
    text = document.text
    for span in spans:
        if span.start > 0 and text[span.start - 1] in "\"'":
            return text[span.start - 1]
        found = _QUOTE.search(text, span.start, span.end)
        if found:
            return found.group()
    return '"'


@Memoized
def wrapper_of(document: Document) -> str | None:
    """Return how the file calls `as_bytes`, or how it could, since it has TensorFlow."""
    text = document.text
    # Looking for a plain text takes a hundredth of the time that a pattern for the whole name does.
    at = text.find(_AS_BYTES + "(")
    while at >= 0:
        owner = _OWNER.search(text, max(0, at - _LONGEST_OWNER), at)
        if owner:
            return owner.group() + _AS_BYTES
        at = text.find(_AS_BYTES + "(", at + 1)
    name = tensorflow_of(document)
    return f"{name}.compat.as_bytes" if name else None


def tensorflow_of(document: Document) -> str | None:
    """Return what the file calls TensorFlow."""
    found = _TENSORFLOW.search(document.text) if "tensorflow" in document.text else None
    return found and (found["name"] or "tensorflow")


def quoted(value: str, quote: str) -> str:
    """Return `value` as a text literal."""
    escaped = value.replace("\\", "\\\\").replace(quote, "\\" + quote)
    # What can't be seen is written so that it can: a NUL in a source can't even be read.
    return quote + _UNSEEN.sub(lambda found: found.group().encode("unicode_escape").decode(), escaped) + quote


def text(value: str, document: Document, setting: Setting, *, as_bytes: bool) -> str:
    """Return `value` as a literal in the file's own style: its kind of quotes, and `b"x"`, `"x".encode()` or `as_bytes("x")` for bytes."""
    literal = quoted(value, _quote_of(document, setting.value.span, setting.key))
    if not as_bytes:
        return literal
    wrapper = setting.value.wrapper
    if wrapper is None or not wrapper.endswith("as_bytes"):
        wrapper = wrapper_of(document)
    if wrapper is not None:
        return f"{wrapper}({literal})"
    return "b" + literal if value.isascii() else literal + ".encode()"


def scalar(value: Scalar, document: Document, setting: Setting, *, as_bytes: bool) -> str:
    """Return any value as the file writes it."""
    return text(value, document, setting, as_bytes=as_bytes) if isinstance(value, str) else plain(value)


_TEXT_LITERAL = re.compile(
    r"""(?P<prefix>[rRuU]?)(?P<quote>\"\"\"|'''|"|')(?:[^\\"']|\\[\s\S]|(?!(?P=quote))["'])*(?P=quote)\Z"""
)
_BYTES = re.compile(r"""[\w.]*as_bytes\(|[rR]?[bB][rR]?["']""")
_SIMPLE = re.compile(r"[\w.]+(?:\([^()]*\))?\Z")


def as_bytes(expression: str, document: Document) -> str:
    """Return an expression for the same text as bytes."""
    if _BYTES.match(expression) or expression.endswith(".encode()"):
        return expression
    wrapper = wrapper_of(document)
    if wrapper is not None:
        return f"{wrapper}({expression})"
    literal = _TEXT_LITERAL.match(expression)
    if literal and expression.isascii() and len(literal["quote"]) in (1, 3):
        prefix = "" if literal["prefix"] in ("u", "U") else literal["prefix"]
        return "b" + prefix + expression[len(literal["prefix"]) :]
    if literal or _SIMPLE.match(expression):
        return expression + ".encode()"
    return f"({expression}).encode()"


def joined(base: str, path: str) -> str:
    """Return the expression for `path` beside the script, or below the folder that an environment variable names."""
    folder = "os.path.dirname(os.path.abspath(__file__))" if base == "script" else f'os.environ["{base}"]'
    return f'os.path.join({folder}, "{path}")'
