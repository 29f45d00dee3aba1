"""The images that a Dockerfile starts from."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.model import Block, Form, Setting, Value, ValueKind
from npu_lsp.text import lazy_re as re
from npu_lsp.text.document import Document
from npu_lsp.text.spans import Span

_FROM = re.compile(r"^[ \t]*FROM[ \t]+(?:--[\w-]+=\S+[ \t]+)*(?P<image>[^\s]+)", re.MULTILINE | re.IGNORECASE)
_ARGUMENT = re.compile(r"^[ \t]*ARG[ \t]+(?P<name>\w+)=[\"']?(?P<value>[^\s\"']*)", re.MULTILINE | re.IGNORECASE)
_USED = re.compile(r"\$(?:\{(?P<braced>\w+)\}|(?P<plain>\w+))")
_NPU = re.compile(r"davinci|[aA]scend/|vllm[-_]ascend|torch[-_]npu|huawei\.com/")
"""The words of `triggers` that tell: without one of them no such file is read."""
_MOST = 50


def base_images(document: Document) -> Iterator[Block]:
    """Yield a block for each `FROM` whose image has to do with NPUs; arguments count with their defaults."""
    text = document.text
    if not _NPU.search(text):
        return
    for number, found in enumerate(_FROM.finditer(text)):
        if number >= _MOST:
            return
        span = Span(*found.span("image"))
        said = _filled(text, found["image"], found.start())
        if not _NPU.search(said or found["image"]):
            continue
        content = span if said == found["image"] else None
        value = Value(ValueKind.WORD, span, known=said is not None, data=said, content=content)
        line = Span(found.start(), span.end)
        setting = Setting(Surface.CONTAINER, "image", span, value, Form.ENTRY, line, line)
        yield Block(0, Surface.CONTAINER, span, line, (setting,), open=True, command=line)


def _filled(text: str, image: str, at: int) -> str | None:
    """Return an image with the defaults of the arguments above it; `None` where one has none."""
    if "$" not in image:
        return image
    defaults = {each["name"]: each["value"] for each in _ARGUMENT.finditer(text, 0, at)}
    names = [each["braced"] or each["plain"] for each in _USED.finditer(image)]
    if not names or any(not defaults.get(name) or "$" in defaults[name] for name in names):
        return None
    filled = _USED.sub(lambda each: defaults[each["braced"] or each["plain"]], image)
    return filled if "$" not in filled else None
