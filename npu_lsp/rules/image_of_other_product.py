"""NPU243: an image for another product than the one that it runs on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from npu_lsp.catalog.products import products
from npu_lsp.catalog.surfaces import Surface
from npu_lsp.catalog.target import Version
from npu_lsp.languages.model import Setting
from npu_lsp.languages.registry import PAGES
from npu_lsp.linter.containers import containers
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.pairs import VLLM_ASCEND, requirements
from npu_lsp.linter.rule import Rule, Valid, told
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_SUFFIXES = {"a3": "-a3", "infer": "-310p", "950": "-a5", "a2": ""}
"""What stands behind the version in the tag of vLLM-Ascend's images, by product: `docs/source/installation.md`."""
_NAMED = (
    (
        "infer",
        ("310P", "300I", "300i-duo"),
        re.compile(
            r"[A3](?:(?<![A-Za-z0-9].)(?:(?<=A)scend310P|(?<=3)10P)[13]?(?![0-9A-Za-z])|(?<=A)tlas[ _-]?300I[ _-]?(?:Duo|DUO|Pro|PRO)|(?<=card-3)00i-duo)"
        ),
    ),
    (
        "a2",
        ("910B", "A2", "-910b-"),
        re.compile(
            r"[A9](?:(?<![A-Za-z0-9].)(?:(?<=A)scend910B|(?<=9)10B)[1-4]?(?![0-9A-Za-z])|(?<=A)tlas[ _-]?(?:800I|800T|900)[ _-]?A2|(?<=module-9|..card-9)10b-(?:8|16|2|infer)(?![0-9]))"
        ),
    ),
    (
        "a3",
        ("Ascend910_93", "910C", "A3", "module-a3-"),
        re.compile(
            r"[A9a](?:(?<![A-Za-z0-9].)(?:(?<=A)scend910_93|(?<=9)10C(?![0-9A-Za-z]))|(?<=A)tlas[ _-]?(?:800I|800T|900)[ _-]?A3|(?<=module-a)3-\d)"
        ),
    ),
    ("950", ("Ascend950",), re.compile(r"(?<![A-Za-z0-9])Ascend950")),
)
"""Products, what all of their names hold, which is found at once, and these names; `accelerator-type` of MindCluster is one."""
_FILES = (
    ("infer", re.compile(r"(?i)(?:^|[._-])(?:310p|300i)(?:[._-]|$)")),
    ("a2", re.compile(r"(?i)(?:^|[._-])(?:910b|a2)(?:[._-]|$)")),
    ("a3", re.compile(r"(?i)(?:^|[._-])(?:910c|a3)(?:[._-]|$)")),
    ("950", re.compile(r"(?i)(?:^|[._-])(?:a5|950)(?:[._-]|$)")),
)
"""Products in the names of files: `Dockerfile.a3`."""
_910 = "huawei.com/Ascend910"
_FIRST, _LAST = Version.parse("0.13.0"), Version.parse("0.18.0")
"""Releases whose packages on PyPI were looked at."""
_DOCKER = "docker run --device /dev/davinci0 --privileged "


_OURS = re.compile(r"(?:^|/)(?:vllm-ascend|cann):")
"""Images that there are for all products, told apart by a suffix."""
_SOC = re.compile(r"^(?:ENV|ARG)[ \t]+SOC_VERSION[= \t]+[\"']?(?P<soc>[A-Za-z0-9_]+)", re.MULTILINE)
_CHIPS_OF = {
    "a2": ("ascend910b", "ascend910b1"),
    "a3": ("ascend910_93", "ascend910_9391"),
    "infer": ("ascend310p", "ascend310p1"),
    "950": ("ascend950", "ascend950dt_9591"),
}
"""How the names of a product's chips start, and one of them (vllm-ascend: `Dockerfile*`, `setup.py`)."""


class ImageOfOtherProduct(Rule):
    """An image for another product than the one that it runs on.

    ## What it does
    Compares the tag of an image of vLLM-Ascend, CANN, MindIE, SGLang or a trainer with the products of the configuration, and in scripts and files of containers
    with the only chip or product that they, or else their own names, name: nothing behind the version, or `910b`, is for Atlas A2, `a3` for A3, `310p` for
    inference cards, `a5` for Ascend 950. In Dockerfiles the packages of vLLM-Ascend 0.13.0 to 0.18.0 on PyPI are looked at, too, which
    are made for Atlas A2.

    ## Why is this bad?
    Kernels and the compiled parts of vLLM-Ascend are those of another chip: the first one that is called fails.

    ## Example
    ```sh
    # Atlas 300I Duo
    docker run --privileged -it quay.io/ascend/vllm-ascend:v0.18.0 bash
    ```

    Use instead:
    ```sh
    # Atlas 300I Duo
    docker run --privileged -it quay.io/ascend/vllm-ascend:v0.18.0-310p bash
    ```
    """

    code = "NPU243"
    title = Text(en="Image for another product", zh="镜像与产品不匹配")
    severity = Severity.ERROR
    surfaces = frozenset({Surface.CONTAINER})
    messages = {
        "found": Text(
            en="The image is for {product}, and this runs on {wanted}: its kernels fail there. Take the one whose tag has {suffix} behind the version.",
            zh="该镜像适用于{product}，而此处运行于{wanted}，其中的算子无法运行。请使用版本号后为 {suffix} 的镜像。",
        ),
        "resource": Text(
            en='The image is for {product}, and "{resource}" asks for other NPUs: its kernels fail there. Take an image for these, or ask for "huawei.com/Ascend310P".',
            zh="该镜像适用于{product}，而“{resource}”申请的是其他 NPU，其中的算子无法运行。请使用与之匹配的镜像，或改为申请“huawei.com/Ascend310P”。",
        ),
        "wheel": Text(
            en="The package of vLLM-Ascend {version} on PyPI is made for Atlas A2, and the image is for {wanted}: it stops when it starts. Take vLLM-Ascend's image for it, or build it from its source.",
            zh="PyPI 上的 vLLM-Ascend {version} 软件包仅适用于 Atlas A2，而该镜像适用于{wanted}，启动时会报错退出。请使用对应产品的 vLLM-Ascend 镜像，或从源码编译。",
        ),
        "soc": Text(
            en="vLLM-Ascend is built for {product} here, and the image is for {wanted}: its kernels fail there. SOC_VERSION must name a chip of {wanted}, such as {suffix}.",
            zh="此处为{product}编译 vLLM-Ascend，而该镜像适用于{wanted}，其中的算子无法运行。SOC_VERSION 须为{wanted}的芯片，如 {suffix}。",
        ),
        "other": Text(
            en="The image is for {product}, and this runs on {wanted}: its kernels fail there. Take an image for {wanted}.",
            zh="该镜像适用于{product}，而此处运行于{wanted}，其中的算子无法运行。请使用适用于{wanted}的镜像。",
        ),
        "plain": Text(
            en="The image is for {product}, and this runs on {wanted}: its kernels fail there. Take the one whose tag has no such suffix.",
            zh="该镜像适用于{product}，而此处运行于{wanted}，其中的算子无法运行。请使用不带该后缀的镜像。",
        ),
    }
    examples_in = Kind.DOCKERFILE
    VALID = (
        "FROM quay.io/ascend/cann:8.5.0-910b-ubuntu22.04-py3.11\nRUN pip install vllm-ascend==0.13.0\n",
        "FROM quay.io/ascend/cann:8.5.0-a3-ubuntu22.04-py3.11\nRUN pip install -e vllm-ascend\n",
        Valid(_DOCKER + "quay.io/ascend/vllm-ascend:v0.18.0-310p bash\n", Kind.SHELL, {"products": ["infer"]}),
        Valid(_DOCKER + "quay.io/ascend/vllm-ascend:v0.18.0 bash\n", Kind.SHELL, {"products": ["a2", "infer"]}),
        Valid("# Ascend910B3\n" + _DOCKER + "quay.io/ascend/vllm-ascend:v0.18.0-openeuler bash\n", Kind.SHELL),
        Valid("# 310P or 910B\n" + _DOCKER + "quay.io/ascend/vllm-ascend:v0.18.0 bash\n", Kind.SHELL),
        Valid(_DOCKER + "quay.io/ascend/vllm-ascend:main bash\n", Kind.SHELL, {"products": ["infer"]}),
        "FROM quay.io/ascend/cann:8.5.0-310p-ubuntu22.04-py3.11\nENV SOC_VERSION=ascend310p1\n",
    )
    INVALID = (
        (
            "FROM quay.io/ascend/cann:9.0.0-a3-ubuntu22.04-py3.11\nENV SOC_VERSION=«ascend910b1»\n"
            "RUN pip install -e vllm-ascend\n"
        ),
        "FROM quay.io/ascend/cann:8.5.0-a3-openeuler24.03-py3.11\nRUN pip install «vllm-ascend»==0.13.0\n",
        told(_DOCKER + "«quay.io/ascend/vllm-ascend:v0.18.0» bash\n", target={"products": ["infer"]}),
        # What it starts is told as well.
        told(
            "IMAGE=«quay.io/ascend/vllm-ascend:v0.18.0»\n" + _DOCKER + "$IMAGE vllm serve m -tp 1\n",
            target={"products": ["infer"]},
        ),
        told(
            "# Atlas 800T A2\nservices:\n  llm:\n    image: «quay.io/ascend/vllm-ascend:v0.18.0-a3»\n", kind=Kind.YAML
        ),
        told(
            "kind: Pod\nspec:\n  nodeSelector: {accelerator-type: module-910b-8}\n  containers:\n"
            "  - image: «quay.io/ascend/vllm-ascend:v0.18.0-a3»\n    name: a\n",
            kind=Kind.YAML,
        ),
        told(
            "kind: Pod\nspec:\n  containers:\n  - image: «quay.io/ascend/vllm-ascend:v0.18.0-310p»\n    name: a\n"
            "    resources:\n      limits:\n        huawei.com/Ascend910: 1\n",
            kind=Kind.YAML,
        ),
        told(_DOCKER + "«quay.io/ascend/llamafactory:latest-npu-a2» bash\n", target={"products": ["infer"]}),
        told(
            "kind: Pod\nspec:\n  nodeSelector: {accelerator-type: module-a3-16}\n  containers:\n"
            "  - image: «mindie:1.0.0-aarch64-800I-A2»\n    name: a\n    resources: {limits: {huawei.com/Ascend910: 16}}\n",
            "info",
            Kind.YAML,
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        yield from self._wheels(context)
        yield from self._built(context)
        started = containers(context)
        wanted, severity = self._wanted(context) if started else ((), None)
        known = products(context.catalog)
        for container in started:
            image, product = container.image, container.product
            if image is not None and product == "infer" and (asked := container.texts("resource")) == [_910]:
                yield self._other(context, image, "resource", product, resource=asked[0])
                continue
            if not wanted or image is None or product is None or product in wanted or product not in _SUFFIXES:
                continue
            suffix = _SUFFIXES.get(wanted[0])
            if suffix is None:
                continue
            form = "other" if not any(map(_OURS.search, container.texts("image"))) else "found" if suffix else "plain"
            name = known.short(wanted[0]).to(context.language)
            # What has no registry in front was tagged by hand: its tag tells what somebody meant, and is replaced before it runs.
            own = not any("/" in each for each in container.texts("image"))
            yield self._other(
                context, image, form, product, Severity.INFO if own else severity, wanted=name, suffix=suffix
            )

    def _other(
        self,
        context: Context,
        image: Setting,
        form: str,
        product: str,
        severity: Severity | None = None,
        *,
        wanted: str = "",
        suffix: str = "",
        resource: str = "",
    ) -> Finding:
        return self.finding(
            context,
            image.value.origin or image.value.inside,
            form,
            of=image,
            severity=severity,
            product=products(context.catalog).short(product).to(context.language),
            wanted=wanted,
            suffix=suffix,
            resource=resource,
        )

    def _built(self, context: Context) -> Iterator[Finding]:
        """Look for a chip of another product than that of the image below which something is built for it."""
        products_of = {each.product for each in containers(context)} if context.document.kind is Kind.DOCKERFILE else ()
        wanted = next(iter(products_of)) if len(products_of) == 1 else None
        built = _SOC.finditer(context.document.text) if wanted in _CHIPS_OF else ()
        known = products(context.catalog)
        for found in built:
            product = next((name for name, chip in _CHIPS_OF.items() if found["soc"].lower().startswith(chip[0])), None)
            if product is not None and product != wanted:
                yield self.finding(
                    context,
                    Span(*found.span("soc")),
                    "soc",
                    surface=Surface.CONTAINER,
                    product=known.short(product).to(context.language),
                    wanted=known.short(str(wanted)).to(context.language),
                    suffix=_CHIPS_OF[str(wanted)][1],
                )

    def _wheels(self, context: Context) -> Iterator[Finding]:
        """Look for packages that are made for one product: those of these releases say so in `_build_info.py`."""
        if context.document.kind is not Kind.DOCKERFILE or "variant" in context.document.text:
            return
        products_of = {container.product for container in containers(context)}
        wanted = next(iter(products_of)) if len(products_of) == 1 else None
        if wanted not in ("a3", "infer"):
            return
        for each in requirements(context):
            wheel = each.name == VLLM_ASCEND and each.block.surface is Surface.PACKAGE and not each.built
            if wheel and each.exact is not None and _FIRST <= each.exact <= _LAST:
                product = products(context.catalog).short(wanted).to(context.language)
                yield self.finding(
                    context, each.setting.key, "wheel", of=each.setting, version=each.exact, wanted=product
                )

    def _wanted(self, context: Context) -> tuple[tuple[str, ...], Severity | None]:
        """Return the products that the configuration names, or else the only one that a text names which is no page, or its own name."""
        if context.target.products or context.products:
            return context.target.products or context.products, None
        if context.document.kind in PAGES or context.document.kind in (Kind.NOTEBOOK, Kind.PYTHON):
            return (), None
        if len({container.product for container in containers(context)} - {None}) != 1:
            return (), None
        text = context.document.text
        named = tuple(p for p, signs, name in _NAMED if any(map(text.__contains__, signs)) and name.search(text))
        severity = None if named else Severity.WARNING
        name = PurePath(context.document.path or "").name
        named = named or tuple(product for product, called in _FILES if called.search(name))
        return (named if len(named) == 1 else ()), severity
