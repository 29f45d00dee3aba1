"""NPU115: a variable that is read under a name that nobody gives it."""

from __future__ import annotations

from collections.abc import Iterator

from npu_lsp.catalog.surfaces import Surface
from npu_lsp.linter.context import Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.names.meant import meant_variable
from npu_lsp.linter.names.unknown import is_known
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.linter.values import shown
from npu_lsp.linter.variable_uses import misread, slips
from npu_lsp.linter.wording import apart
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind


class UnknownRead(Rule):
    """A variable that a text reads, and whose name is that of an NPU's variable with a slip.

    ## What it does
    Looks at `$NAME`, `os.getenv("NAME")`, `os.environ["NAME"]` and the like. A name that is close to a known one is reported,
    unless the text sets it or names it elsewhere, and so is one that a script names once, close to one that it has often.

    ## Why is this bad?
    The variable that everybody sets has another name, so that this one is empty: a test of it never holds, a path that begins
    with it leads to the root.

    ## Fix safety
    Unsafe: from then on the variable has a value here.

    ## Configuration
    - `known`: names (or globs) that are right although the catalog doesn't have them
    """

    code = "NPU115"
    title = Text(en="Variable that is read under a mistyped name", zh="读取的环境变量名称拼写错误")
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES
    messages = {
        "found": Text(
            en='Nothing sets "{option}", so that it is empty here. Did you mean {near}?',
            zh="没有设置“{option}”的地方，此处读到的是空值。是否应为 {near}？",
        ),
        "own": Text(
            en='Nothing sets "{option}", and the script names it only here. Did you mean "{near}", which it reads elsewhere?',
            zh="没有设置“{option}”的地方，脚本也仅在此处使用。是否应为脚本中多处使用的“{near}”？",
        ),
        "gone": Text(
            en='Nothing sets "{option}", so that it is empty here. "{near}", which it is close to, no longer exists either.',
            zh="没有设置“{option}”的地方，此处读到的是空值；与其相近的“{near}”也已移除。",
        ),
    }
    VALID = (
        "source $ASCEND_TOOLKIT_HOME/set_env.sh\n",
        # Its own: it is set, or spoken of.
        "read ASCNED_TOOLKIT_HOME\necho $ASCNED_TOOLKIT_HOME\n",
        Valid('HELP = "set HCCL_CONECT_TIMEOUT"\nwait = os.getenv("HCCL_CONECT_TIMEOUT")\n'),
        'export NCCL_BUFFSIZE=1\nif [ "$NCCL_BUFFSIZE" = 1 ]; then :; fi\n',
        "export HCCL_BUFFSIZE=1\nPYTHON_PATH=/a\n$PYTHON_PATH/python a.py $PYTHONPATH $PYTHON_PATH\n",
        # The names may be those of two things.
        "export HCCL_BUFFSIZE=1\nMODEL_NAME=a\necho $MODEL_NAME $MODE_NAME\n",
        "export HCCL_BUFFSIZE=1\nHOST_IP=a\necho $HOST_IP $POST_IP ${HOST_PI:-$HOST_IP}\n",
        "export HCCL_BUFFSIZE=1\n_MODEL_PATH=$MODEL_PATH\necho $_MODEL_PATH\n",
        *(
            f"export HCCL_BUFFSIZE=1\n{set_}=a\ncp ${set_}/a ${set_}/b\nls ${set_} ${read}\n"
            for set_, read in (
                *(("TRAINER_DIR", "TRAINED_DIR"), ("IMAGE_HEIGHT", "IMAGE_WEIGHT"), ("CACHE_PATCH", "CACHE_PATH")),
                *(("WORK_READER", "WORK_HEADER"), ("LOADED_CONFIG", "LOADER_CONFIG"), ("SHARD_FILES", "SHARED_FILES")),
            )
        ),
        "# $ASCNED_TOOLKIT_HOME\nexport ASCEND_DEVICE_ID=0\n",
    )
    INVALID = (
        "source $«ASCNED_TOOLKIT_HOME→ASCEND_TOOLKIT_HOME»/set_env.sh\n",
        (
            'if [ "$«ASCEND_RT_VISIBLE_DEVICE→ASCEND_RT_VISIBLE_DEVICES»" != "" ]; then\n'
            '  echo "${«ASCEND_RT_VISIBLE_DEVICE→ASCEND_RT_VISIBLE_DEVICES»}"\nfi\n'
        ),
        told(
            "import os\nif os.getenv('«GE_PROFILNG_TO_STD_OUT→GE_PROFILING_TO_STD_OUT»') == '1':\n"
            "    print(os.environ['«ASCEND_DEVIEC_ID→ASCEND_DEVICE_ID»'])\n",
            kind=Kind.PYTHON,
        ),
        'if [ "$«VLLM_ASCEND_ENABEL_TOPK_OPTIMIZE»" = 1 ]; then :; fi\n',
        (
            'export ASCEND_GLOBAL_LOG_LEVEL=3\ncp "$CONFIG_PATH/a" "$CONFIG_PATH/b"\n'
            'ls "$CONFIG_PATH" "$«CONFIG_PATHS→CONFIG_PATH»"\n'
        ),
        # That another script sets one so close is less likely than a slip.
        (
            "export ASCEND_GLOBAL_LOG_LEVEL=3\nSCRIPT_DIR=/a\nsource $SCRIPT_DIR/common.sh\n"
            'source "$«SCRIIPT_DIR→SCRIPT_DIR»/run.sh"\n'
        ),
        (
            'export HCCL_BUFFSIZE=1\nif [ "$APP_TYPE" = a ]; then :; elif [ "$APP_TYPE" = b ]; then :; fi\n'
            'if [ -n "$«APP_TPE→APP_TYPE»" ]; then echo $APP_TYPE; fi\n'
        ),
        told("FROM a\nENV LD_LIBRARY_PATH=${«ASCEND_TOOLKTI_HOME→ASCEND_TOOLKIT_HOME»}/lib64\n", kind=Kind.DOCKERFILE),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        for slip, close in slips(context.document):
            if not is_known(slip.name, context) and context.catalog.option(Surface.ENV, slip.name) is None:
                fixes = self.renamed_at(context, slip.span, close)
                yield self.finding(context, slip.span, "own", option=slip.name, fixes=list(fixes), near=close)
        for read in misread(context.document):
            meant = None if is_known(read.name, context) else meant_variable(read.name, context)
            if meant is None:
                continue
            near = meant.names or ((meant.gone.name,) if meant.gone is not None else ())
            yield self.finding(
                context,
                read.span,
                "found" if meant.names else "gone",
                option=read.name,
                severity=Severity.WARNING if meant.sure else Severity.INFO,
                fixes=[fix for name in meant.names for fix in self.renamed_at(context, read.span, name)],
                near=apart([shown(each) for each in near], context.language) if meant.names else near[0],
            )
