"""NPU227: a request to a port or a model that no server of the text has."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from npu_lsp.languages.placeholders import is_placeholder
from npu_lsp.languages.registry import PAGES, SCRIPTS
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.launch.launch import Launch, launches, whole
from npu_lsp.linter.rule import Invalid, Rule, Valid, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_HOST = r"https?://(?P<{0}host>[^\s/:\"'`]{{1,80}}):(?P<{0}port>\d{{2,5}})/"
_URL = re.compile(
    _HOST.format("") + r"(?:v1/(?:chat/)?(?:completions|models|embeddings|rerank)|generate\b)"
    r"|\bbase_url[ \t]*=[ \t]*[\"']" + _HOST.format("its_") + r"v1/?[\"']"
)
_BODY = re.compile(r"\"model\"[ \t]*:[ \t]*\"(?P<model>[^\"\n]{1,200})\"")
_CALLED = re.compile(r"\bcompletions\.create\([^()\"']{0,200}?\bmodel[ \t]*=[ \t]*[\"'](?P<model>[^\"'\n]{1,200})[\"']")
_TOKENS = re.compile(r"\"max_(?:completion_)?tokens\"[ \t]*:[ \t]*(?P<tokens>\d{1,9})\b")
_OTHER_NODE = re.compile(r"(?!127\.|0\.0\.0\.0)\d{1,3}(?:\.\d{1,3}){3}")
_NAMED_NODE = re.compile(
    r"(?=[^.]*[a-z])(?:[\w-]+\.)+[a-z]{2,}|(?!.*(?:ip|host|node|addr|your))[a-z0-9]+(?:-[a-z0-9]+)+"
)
"""A name of a domain, or of a service of Kubernetes, which has ports of its own."""
_BETWEEN = re.compile(r"(?i)(?<!no_)(?<!http_)(?<!https_)proxy|router|gateway|balanc|nginx")
_THEIRS = frozenset({"8000", "30000"})
"""Ports that the proxies of vLLM-Ascend and the router of SGLang take where nobody names one."""
_REACH = 800
"""Characters behind a URL in which the body of the request may name the model."""
_END = re.compile(r"^[ \t]*(?:`{3}|~{3}|$)|\bcurl\b", re.MULTILINE)
_SERVED = re.compile(
    r"\bvllm[ \t]+serve[ \t]+(?P<quote>['\"]?)(?P<model>[^\s\"'`;&|<>-][^\s\"'`;&|<>]{0,400})(?P=quote)(?=[\s;&|\\]|\Z)"
)
_ASKS = re.compile(r"[cb](?:(?<=\bc)url|(?<=\bb)ase_url)\b")
_SERVERS = frozenset({"vllm", "sglang"})
_NAMES = ("served-model-name", "model", "model-path")
_MOST = 20
_INDENT = 80
_STANDS_FOR = re.compile(r"[A-Z]+(?:_[A-Z]+)+")
"""`MODEL_NAME`: what a page says instead of a name."""

_SERVE = "vllm serve /m/Qwen3-8B --additional-config '{{}}' --port {} --served-model-name qwen3\n"
_ASK = 'curl http://127.0.0.1:{}/v1/completions -d \'{{"model": "{}", "prompt": "a"}}\'\n'
_LONG = (
    "vllm serve /m --max-model-len {} --served-model-name q\ncurl http://127.0.0.1:8000/v1/completions"
    ' -d \'{{"model": "q", "max_tokens": {}}}\'\n'
)


class _Request(NamedTuple):
    """A request of a text, with the model and the number of tokens that its body names."""

    host: str
    port: Span
    model: Span | None
    tokens: Span | None


class RequestToNobody(Rule):
    """A request that none of the servers of the text answers.

    ## What it does
    Compares the port and the model of requests (`curl http://…:8000/v1/completions`, `OpenAI(base_url=…)`) with those that `vllm serve` and
    `sglang.launch_server` of the same script or page are given, where all of these are known, and `max_tokens` with the longest
    sequence that they take. A port or a name that stands
    anywhere else in the text, as that of a proxy does, is left alone.

    ## Why is this bad?
    The connection is refused, or the server answers 404: the model does not exist.
    """

    code = "NPU227"
    title = Text(en="Request that no server answers", zh="没有服务应答的请求")
    severity = Severity.WARNING
    messages = {
        "port": Text(
            en="No server of this text listens on port {said}, but on {others}: the connection is refused.",
            zh="文中没有服务监听端口 {said}，服务端口为 {others}，连接会被拒绝。",
        ),
        "model": Text(
            en='No server of this text serves "{said}", but {others}: the answer is 404, the model does not exist.',
            zh="文中没有服务提供模型“{said}”，服务的模型名为 {others}，请求会返回 404。",
        ),
        "tokens": Text(
            en='"max_tokens" is {said}, and prompt and answer together have room for {others} (`--max-model-len`): the answer is 400. Lower it.',
            zh="“max_tokens”为 {said}，而输入与输出总长上限为 {others}（`--max-model-len`），请求会返回 400。请调小。",
        ),
    }
    VALID = (
        "vllm serve Qwen/Qwen3-8B --port 8089 --additional-config '{}' &\ncurl http://127.0.0.1:8089/v1/models\n",
        "python3 -m sglang.launch_server --device npu --model-path m --port 8000 --served-model-name a\n"
        + _ASK.format(8000, "b"),
        _SERVE.format(8000) + _ASK.format(8000, "qwen3"),
        _LONG.format(8192, 8000),
        *(
            _SERVE.format(8000) + _ASK.format(80, "other").replace("127.0.0.1", host)
            for host in ("api.deepseek.com", "vllm-service", "a.default.svc.cluster.local")
        ),
        _LONG.format("$LENGTH", 9000),
        _SERVE.format(8000) + "python proxy.py --port 9000\n" + _ASK.format(9000, "qwen3"),
        _SERVE.format("$PORT") + _ASK.format(8000, "qwen3"),
        _SERVE.format(8000) + _ASK.format(8000, "<model>"),
        _SERVE.format(8000) + _ASK.format(8000, "MODEL_NAME"),
        _SERVE.format(8000) + "# " + _ASK.format(9000, "qwen3"),
        _SERVE.format(8000) + "vllm serve $MODEL --port 8001\n" + _ASK.format(8000, "other"),
        _ASK.format(8000, "qwen3"),
        # What stands before the servers, by its name.
        Valid(
            f"```sh\n{_SERVE.format(8000)}```\n\n```sh\n{_ASK.format(80, 'qwen3')}```\n".replace(
                "127.0.0.1", "<ROUTER_IP>"
            ),
            Kind.MARKDOWN,
        ),
        "docker run -p 9000:8000 i " + _SERVE.format(8000) + _ASK.format(9000, "qwen3"),
    )
    INVALID = (
        "vllm serve Qwen/Qwen3-8B --port 8089 --additional-config '{}' &\ncurl http://127.0.0.1:«8088»/v1/models\n",
        _SERVE.format(8000) + _ASK.format(8000, "«qwen3-8b»"),
        Invalid(_LONG.format(4096, 8192), ("8192",), ("warning",), kind=Kind.SHELL),
        told(
            f"```sh\n{_SERVE.format(8000)}```\n\n```python\nc = OpenAI(base_url='http://localhost:8000/v1')\n"
            "c.chat.completions.create(model='«other»', messages=[])\n```\n",
            kind=Kind.MARKDOWN,
        ),
        Invalid(
            f"```sh\n{_SERVE.format(8089)}```\n\n```sh\n{_ASK.format(8088, 'qwen3')}```\n",
            ("8088",),
            ("warning",),
            kind=Kind.MARKDOWN,
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        document = context.document
        if document.kind not in PAGES and document.kind not in SCRIPTS:
            return
        servers = [each for each in launches(context) if each.program.name in _SERVERS and not each.program.called]
        if not servers or not _ASKS.search(document.text):
            return
        asked = [each for each in islice(_requests(document.text), _MOST) if not _goes_elsewhere(each, context)]
        yield from self._wrong(context, [each.port for each in asked], [_port(each) for each in servers], "port")
        yield from self._wrong(
            context, _models_asked(asked, servers), [_models(each, context) for each in servers], "model"
        )
        lengths = [whole(each.value.data) if (each := server.setting("max-model-len")) else None for server in servers]
        known = [length for length in lengths if length is not None]
        for span in (each.tokens for each in asked):
            if span is not None and len(known) == len(servers) and int(context.text(span)) > max(known):
                yield self.finding(context, span, "tokens", said=context.text(span), others=max(known))

    def _wrong(
        self, context: Context, asked: list[Span], served: list[tuple[str, ...]], what: str
    ) -> Iterator[Finding]:
        """Yield what nobody serves, once each, where it is known what everybody does."""
        if not asked or not all(served):
            return
        known = list(dict.fromkeys(name for names in served for name in names))
        told: set[str] = set()
        for span in asked:
            said = context.text(span)
            if said in known or said in told or _is_open(said):
                continue
            if _count(context.document.text, said) > sum(context.text(each) == said for each in asked):
                continue  # It is something else's as well.
            told.add(said)
            yield self.finding(context, span, what, said=said, others=", ".join(known))


def _models_asked(asked: list[_Request], servers: list[Launch]) -> list[Span]:
    """Return the models that requests name; SGLang answers whatever it is called."""
    checked = all(each.program.name == "vllm" for each in servers)
    return [each.model for each in asked if each.model is not None] if checked else []


def _goes_elsewhere(request: _Request, context: Context) -> bool:
    """Return whether a request is for another node, of which a script says nothing, or for what stands before the servers."""
    if _NAMED_NODE.fullmatch(request.host) or _BETWEEN.search(request.host):
        return True
    if context.document.kind in SCRIPTS and _OTHER_NODE.fullmatch(request.host):
        return _count(context.document.text, request.host) == 1
    return context.text(request.port) in _THEIRS and _BETWEEN.search(context.document.text) is not None


def _count(text: str, said: str) -> int:
    """Return how often a port or a name stands in a text."""
    return len(re.findall(rf"(?<![\w.]){re.escape(said)}(?!\w)", text))


def _requests(text: str) -> Iterator[_Request]:
    for found in _URL.finditer(text):
        line = text.rfind("\n", 0, found.start()) + 1
        if text[line : line + _INDENT].lstrip().startswith("#"):
            continue  # Nobody asks it.
        called = found["host"] is None
        end = _END.search(text, found.end(), found.end() + _REACH) if not called else None
        stop = end.start() if end is not None else min(len(text), found.end() + _REACH)
        body = (_CALLED if called else _BODY).search(text, found.end(), stop)
        tokens = _TOKENS.search(text, found.end(), stop) if not called else None
        yield _Request(
            found["its_host" if called else "host"],
            Span(*found.span("its_port" if called else "port")),
            Span(*body.span("model")) if body is not None else None,
            Span(*tokens.span("tokens")) if tokens is not None else None,
        )


def _port(server: Launch) -> tuple[str, ...]:
    """Return the port of a server; nothing where that isn't known."""
    if server.is_set("headless"):
        return ("headless",)
    said = server.setting("port")
    number = whole(said.value.data) if said is not None else None
    if number is not None:
        return (str(number),)
    default = next((each.default for each in server.program.ports if each.option == "port"), None)
    return () if server.is_set("port") or server.block.open or default is None else (str(default),)


def _models(server: Launch, context: Context) -> tuple[str, ...]:
    """Return the names of the model that a server answers to; nothing where they aren't known."""
    for option in _NAMES:
        settings = server.settings(option)
        if settings:
            data = settings[-1].value.data if settings[-1].value.known else None
            names = data if isinstance(data, (list, tuple)) else (data,)
            return tuple(map(str, names)) if data is not None and not any(map(_is_open, names)) else ()
    found = _SERVED.search(context.text(server.span)) if not server.block.open else None
    return (found["model"],) if found is not None and not _is_open(found["model"]) else ()


def _is_open(name: object) -> bool:
    """Return whether a name is filled in by a variable or by the reader: that of a path is often all that a page says."""
    said = str(name)
    return "$" in said or _STANDS_FOR.fullmatch(said) is not None or is_placeholder(said) or "path" in said.lower()
