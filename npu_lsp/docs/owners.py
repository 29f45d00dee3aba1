"""What people read about the tools, calls and objects that take options."""

from __future__ import annotations

from collections.abc import Mapping

from npu_lsp.catalog.load import Catalog
from npu_lsp.catalog.model import Surface
from npu_lsp.docs.markdown import code, plain
from npu_lsp.text.bilingual import Language, Text

_ABOUT: Mapping[Surface, Text] = {
    Surface.SESSION: Text(
        "Options of a TensorFlow 1 session. Each has a field of its own (`.s`, `.i`, `.f`, `.b`); a name that isn't known is "
        "ignored.",
        "TensorFlow 1 会话的配置。每个配置项有固定的字段（`.s`、`.i`、`.f`、`.b`），未知名称会被忽略。",
    ),
    Surface.RUN_CONFIG: Text(
        "Options of a TensorFlow 1 estimator on the NPU. Another keyword raises an error.",
        "TensorFlow 1 Estimator 在 NPU 上运行的配置。使用未知参数会抛出异常。",
    ),
    Surface.GLOBAL_OPTIONS: Text(
        "Options of TensorFlow 2 on the NPU, to be set before the device is opened.",
        "TensorFlow 2 在 NPU 上运行的配置，须在打开设备前设置。",
    ),
    Surface.ATC: Text(
        "Converts a model of ONNX, TensorFlow, Caffe or MindSpore to an offline model (`.om`) for one chip.",
        "将 ONNX、TensorFlow、Caffe 或 MindSpore 模型转换为指定芯片的离线模型（`.om`）。",
    ),
    Surface.AOE: Text(
        "Tunes a model on a chip: operators, subgraphs or gradients. The results are used when it is built again.",
        "在芯片上调优模型（算子、子图或梯度），重新编译时使用调优结果。",
    ),
    Surface.CONVERTER_LITE: Text(
        "Converts a model for MindSpore Lite; what is for Ascend alone stands in the file of `configFile`.",
        "将模型转换为 MindSpore Lite 模型，昇腾专用配置写在 `configFile` 指定的文件中。",
    ),
    Surface.MSPROF: Text(
        "Profiles the program that follows its flags, or the machine; exports what was collected.",
        "采集其后用户程序或系统的性能数据，并导出结果。",
    ),
    Surface.TORCH_NPU: Text("Sets options of torch_npu for the process.", "设置本进程的 torch_npu 配置项。"),
    Surface.TORCHAIR: Text(
        "Options of a graph that TorchAir compiles; they are attributes.", "TorchAir 图编译的配置，以属性方式设置。"
    ),
    Surface.ADDITIONAL_CONFIG: Text(
        "Options of vLLM-Ascend, a dict beside those of vLLM.", "vLLM-Ascend 的配置，以字典形式与 vLLM 的配置一起给出。"
    ),
}
_COUNT = Text("{count} options are known.", "已知 {count} 个配置项。")
_REQUIRED = Text("Always needed: {names}.", "必选：{names}。")
_SET = Text("Set here: {names}.", "此处已设置：{names}。")
_SHOWN = 12
"""Names that are listed."""


def owner(catalog: Catalog, surface: Surface, head: str, present: list[str], language: Language) -> str | None:
    """Return the Markdown about what takes the options of `surface`, called `head` in the text; `None` for files and variables.

    What is set there comes first.
    """
    about = _ABOUT.get(surface)
    if about is None:
        return None
    lines = [f"**{code(head)}** · {plain(catalog.title(surface).to(language))}", about.to(language)]
    if present:
        lines.insert(1, _listed(_SET, present, language))
    always = [each.name for each in catalog.options(surface) if any(not each_.when for each_ in each.required)]
    if always:
        lines.append(_listed(_REQUIRED, always, language))
    lines.append(_COUNT.to(language).format(count=len(catalog.names(surface))))
    return "\n\n".join(lines)


def _listed(said: Text, names: list[str], language: Language) -> str:
    shown = [code(name) for name in list(dict.fromkeys(names))[:_SHOWN]]
    more = "…" if len(set(names)) > _SHOWN else ""
    return said.to(language).format(names=("、" if language == "zh" else ", ").join(shown) + more)
