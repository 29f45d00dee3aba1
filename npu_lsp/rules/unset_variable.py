"""NPU720 and NPU724: a variable that no line of a script sets, beside one that is nearly called so; an array of which only the first word is handed on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from npu_lsp.catalog.near import distance
from npu_lsp.languages.innermost import texts
from npu_lsp.languages.shell.words import PieceKind
from npu_lsp.languages.variable_names import is_variable
from npu_lsp.linter.context import MOST_OF_ONE, Context
from npu_lsp.linter.deployment.constraints import terms
from npu_lsp.linter.findings import Finding, Safety, Severity
from npu_lsp.linter.rule import Fixable, Rule, Valid, told
from npu_lsp.linter.variable_uses import OF_SYSTEM, is_another_name, runs_in_pod, slips, without_hidden
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit, Span

_NAME = r"[A-Z][A-Z0-9_]{5,60}"
_USED = re.compile(rf"\$(?<!\\\$)(?:\{{(?P<braced>{_NAME})(?P<rest>[^A-Z0-9_])|(?P<plain>{_NAME})\b)")
_SET = re.compile(
    rf"(?<![\w${{-])(?P<name>{_NAME})(?:\[[^\]\r\n]{{0,40}}\])?\+?=(?!=)|\b(?:for|select|read|local|declare|export|unset|readonly|getopts|-v)\b(?P<names>[^=\r\n;|&]{{1,400}})"
)
_ELSEWHERE = re.compile(
    r"^[ \t]*eval[ \t]|[;&|(][ \t]*eval[ \t]|<<|^[ \t]*(?:source|\.)[ \t]+(?!\S*(?:set_?env|bashrc|profile|conda|activate))\S",
    re.MULTILINE,
)
"""What may set more than the text shows."""
_ASKED = re.compile(rf"(?:-[nz]|[\[=]|\bcase)[ \t]+\"?\$\{{?(?P<name>{_NAME})")
"""A variable that may come from outside: the script asks whether it is there."""
_WORD = re.compile(rf"(?<![\w]){_NAME}(?!\w)")
_DIGITS = re.compile(r"\d+")
_LONG = 10
"""Characters from which on a name with two slips is meant."""
_OF_LAUNCHES = frozenset({"LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT", "NODE_RANK", "WORLD_SIZE"})
"""What whoever starts a script of one node of many gives it."""
_SEVERAL = 3
"""Uses of variables that containers of a deployment get, from which on a script runs in one."""
_KIN = re.compile(r"([A-Z]{8,})_[A-Z]+")
_TAIL = re.compile(r"[A-Z]+(_PER(?:_[A-Z]+)+)")
"""A name of which the first word may be another one: `NDEVICES_PER_NODE`, `NPUS_PER_NODE`; `EVAL_DATA_PATH` is none of training."""


class _Names(NamedTuple):
    used: dict[str, Span]
    """Those that are used and may not be empty, and where first."""
    given: dict[str, int]
    """Those that the script sets, and how often it says them."""


class UnsetVariable(Rule):
    """A variable that a script uses and never sets, where it sets one of nearly that name.

    ## What it does
    Looks in scripts that set NPU options for `$GPUS_PER_NODE` where only `NPUS_PER_NODE` gets a value, and for `$TOKENIZER_PATH`
    where a `TOKENIZER_MODEL` is set that nothing uses, and for `$NDEVICES_PER_NODE` beside such an `NPUS_PER_NODE`. In a script that takes
    variables which the containers of a MindIE deployment get, it looks for slips in these, too, and
    `$RANK_SIZE` is told beside a `RANK_SIZES` that nothing uses. Scripts that read others, or evaluate text, are left alone.

    ## Why is this bad?
    The shell puts nothing there: the flag in front of it takes the next word for its value, or a sum stops with an error.

    ## Fix safety
    Unsafe: the variable may be set by whoever starts the script.
    """

    code = "NPU720"
    title = Text(en="Variable that is set under another name", zh="使用的变量与赋值的变量名称不一致")
    severity = Severity.WARNING
    fixable = Fixable.SOMETIMES
    messages = {
        "container": Text(
            en='No line sets "{option}", so nothing stands here; the containers of a deployment get "{near}". Was that meant?',
            zh="脚本中没有为“{option}”赋值，此处为空；部署的容器中有“{near}”。是否应为后者？",
        ),
        "known": Text(
            en='No line sets "{option}"; the script sets "{near}", which nothing reads. Was "{option}" meant there?',
            zh="脚本中没有为“{option}”赋值；脚本赋值的是“{near}”，而它没有被使用。赋值处是否应为“{option}”？",
        ),
        "found": Text(
            en='No line sets "{option}", so nothing stands here; the script sets "{near}". Was that meant?',
            zh="脚本中没有为“{option}”赋值，此处为空；脚本赋值的是“{near}”。是否应为后者？",
        ),
    }
    VALID = (
        "export HCCL_BUFFSIZE=1\nexport MASTER_PORTS=1\ntorchrun --master_port $MASTER_PORT a.py\n",
        "export HCCL_BUFFSIZE=1\nTRAINER_DIR=/a\nls $TRAINER_DIR $TRAINED_DIR\n",
        "export HCCL_BUFFSIZE=1\nexport RANK_SIZES=8\necho ${RANK_SIZE} $RANK_SIZES\n",
        # A dollar that is written out, what the containers get, and names that begin as theirs do.
        'set_kv_conductor_env\necho "\\$CONFIGMP_PATH" $USER_CONFIG_PATH\n',
        'set_kv_conductor_env\nfor USER_CONFIG_PATHS in a b; do echo; done\npython3 a.py "$USER_CONFIG_PATH"\n',
        'ls "$CONFIGMAP_PATHS" "$CONFIG_PAHT"\n',
        'kubectl apply -f "$CONFIGMAP_PATH/a.yaml"\nls "$CONTROLER_SERVICE"\n',
        "export HCCL_BUFFSIZE=1\nTRAIN_DATA_PATH=/a\ntrain --data $EVAL_DATA_PATH\n",
        "export HCCL_BUFFSIZE=1\nexport LD_LIBRARY_PAggTH=$LD_LIBRARY_PATH:/usr/local/lib\n",
        "NPUS_PER_NODE=8\ntorchrun --nproc_per_node $NPUS_PER_NODE t.py --use-ascend-mc2\n",
        "NPUS_PER_NODE=8\ntorchrun --nproc_per_node ${NPU_PER_NODE:-8} t.py --use-ascend-mc2\n",
        "source env.sh\nNPUS_PER_NODE=8\ntorchrun --nproc_per_node $NPU_PER_NODE t.py --use-ascend-mc2\n",
        "NPUS_PER_NODE=8\nread -r NPU_PER_NODE\ntorchrun --nproc_per_node $NPU_PER_NODE t.py --swap-attention\n",
        # NPU115 tells a slip of the fingers in a name that the script has often.
        (
            "export ASCEND_GLOBAL_LOG_LEVEL=3\nCONFIG_PATH=/a\n"
            'cp "$CONFIG_PATH/a" "$CONFIG_PATH/b"\nls "$CONFIG_PATH" "$CONFIG_PATHS"\n'
        ),
    )
    INVALID = (
        "NPUS_PER_NODE=8\ntorchrun --nproc_per_node $«GPUS_PER_NODE→NPUS_PER_NODE» t.py --use-ascend-mc2\n",
        (
            'TOKENIZER_MODEL="your path"\n'
            "torchrun t.py --use-ascend-mc2 --tokenizer-model ${«TOKENIZER_PATH→TOKENIZER_MODEL»}\n"
        ),
        (
            'export MIES_CONTAINER_IP="$POD_IP"\nsource "$CANN_INSTALL_PATH/nnal/atb/set_env.sh"\ncd "$MIES_INSTALL_PATH"\n'
            'source "$«CAN_INSTALL_PATH→CANN_INSTALL_PATH»/ascend-toolkit/set_env.sh"\n'
        ),
        # A variable that tools read as well.
        (
            'export CONDUCTOR_CONFIG_PATH="$CONFIG_PATH/kv_conductor_config.json"\n'
            'python3 "$CONFIGMAP_PATH/mooncake_config.py" conductor "$CONDUCTOR_CONFIG_PATH" "$«USERR_CONFIG_PATH→USER_CONFIG_PATH»"\n'
            'ls "$CONFIGMAP_PATH"\n'
        ),
        'set_kv_conductor_env\npython3 "$«CONFIGMP_PATH→CONFIGMAP_PATH»/a.py" "$USER_CONFIG_PATH"\n',
        told("export HCCL_BUFFSIZE=1\nexport RANK_SIZES=8\necho ${«RANK_SIZE»}\n", "warning"),
        "export HCCL_BUFFSIZE=1\nNPUS_PER_NODE=${NPUS_PER_NODE:-16}\ntrain n=${«NDEVICES_PER_NODE→NPUS_PER_NODE»}\n",
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        document = context.document
        if document.kind is not Kind.SHELL or "$" not in document.text:
            return
        text = without_hidden(document.text)
        if _ELSEWHERE.search(text) is not None:
            return
        names = _names(text)
        said = {slip.name for slip, _ in slips(document)}
        got = _of_containers(text, names, context)
        if not context.parsed.blocks and not got:
            return
        for name in sorted(names.used.keys() - got.keys(), key=names.used.__getitem__):
            span = names.used[name]
            near = _near(name, names.given) if name not in said else None
            if is_variable(name):
                # It comes from outside, unless the script means to set it.
                if near and not names.given[near] and name not in _OF_LAUNCHES and _is_slip(name, near):
                    yield self.finding(context, span, "known", option=name, near=near)
                continue
            other = near or (_near(name, {each: 1 for each in got if got[each]}) if name not in said else None)
            if other is not None:
                fixes = self.renamed_at(context, span, other)
                form = "found" if near is not None else "container"
                yield self.finding(context, span, form, option=name, fixes=fixes, near=other)


def _names(text: str) -> _Names:
    used: dict[str, Span] = {}
    guarded = {match["name"] for match in _ASKED.finditer(text)}
    given: dict[str, int] = {}
    for match in _SET.finditer(text):
        given.update((each.group(), 0) for each in _WORD.finditer(match["name"] or match["names"]))
    for match in _USED.finditer(text):
        kind = "braced" if match["braced"] else "plain"
        name = match[kind]
        if name in given:
            # `X=${X:-8}` is no use of it.
            before = text[max(0, match.start() - len(name) - 2) : match.start()]
            given[name] += not before.endswith((f"{name}=", f'{name}="'))
        elif kind == "braced" and match["rest"] != "}":
            guarded.add(name)
        else:
            used.setdefault(name, Span(*match.span(kind)))
    open_names = ((name, span) for name, span in used.items() if name not in guarded | OF_SYSTEM)
    return _Names(dict(islice(open_names, MOST_OF_ONE)), given)


def _of_containers(text: str, names: _Names, context: Context) -> dict[str, int]:
    """Return the variables that containers of a deployment get, where the script takes several of these: it runs in such a one.

    Those with 0 are not what another name is meant for.
    """
    if not names.used:
        return {}
    known = terms("scripts", context.catalog) | terms("env_common", context.catalog)
    if runs_in_pod(context.document):
        # `SERVICE_IP` beside `SERVICE_ID` may be another one.
        free = terms("pods", context.catalog) - names.given.keys()
        return {name: int(len(name) > _LONG) for name in free}
    uses = sum((match["braced"] or match["plain"]) in known for match in _USED.finditer(text))
    if uses < _SEVERAL:
        return {}
    return {name: 1 for name in known if name not in names.given}


def _is_slip(name: str, near: str) -> bool:
    """Return whether a script sets `near` in the place of a variable that others read, too."""
    return not is_variable(near) and distance(name, near, 1) is not None


def _near(name: str, given: dict[str, int]) -> str | None:
    """Return the variable that is set and was meant; `None` where that isn't clear."""
    reach, kin, tail = 1 if len(name) < _LONG else 2, _KIN.fullmatch(name), _TAIL.fullmatch(name)
    found = [
        each
        for each, times in given.items()
        if (
            _DIGITS.findall(name) == _DIGITS.findall(each)
            and distance(name, each, reach) is not None
            # Of two words that are both right, one is meant where nothing uses it.
            and not (times and is_another_name(name, each))
        )
        or (kin and not times and (other := _KIN.fullmatch(each)) and other[1] == kin[1])
        or (tail and not times and (other := _TAIL.fullmatch(each)) and other[1] == tail[1])
    ]
    close = [each for each in found if distance(name, each, 1) is not None] if len(found) > 1 else found
    return close[0] if len(close) == 1 else None


_OF_FLAGS = re.compile(r"\w=\([ \t\r\n\\]{0,200}-")
"""An array that begins with a flag; looked for before a script is split."""
_OTHER_SHELL = re.compile(r"#![^\r\n]{0,100}\b(?:zsh|fish|ksh)\b")
"""A shell in which the name alone is all of an array, or which has other ones."""
_PRINTING = frozenset({"echo", "printf", "[", "[[", "test", "for", "case", "unset", "export"})


class FirstOfArray(Rule):
    """An array of flags that a command gets the first word of.

    ## What it does
    Looks for `$ARGS` in a command where `ARGS=( --a 1 --b 2 )` stands above it and nothing else gives `ARGS` a value, in scripts of
    bash that set NPU options.

    ## Why is this bad?
    In bash the name of an array alone is its first word: all other flags are lost, and the first one takes what stands behind it for
    its value.

    ## Fix safety
    Unsafe: the other flags take effect from then on.
    """

    code = "NPU724"
    title = Text(en="Array of flags of which only the first is handed on", zh="只传递了参数数组的第一个元素")
    severity = Severity.WARNING
    fixable = Fixable.ALWAYS
    messages = {
        "found": Text(
            en='"{option}" is an array of {count} words, and only the first one, "{first}", stands here. Write "{near}".',
            zh="“{option}”是含 {count} 个元素的数组，此处只会展开第一个元素“{first}”。请改为“{near}”。",
        ),
    }
    VALID = (
        'ARGS=(--tp-size 8 --page-size 128)\npython -m sglang.launch_server --device npu "${ARGS[@]}"\n',
        'ARGS="--tp-size 8 --page-size 128"\npython -m sglang.launch_server --device npu $ARGS\n',
        "ARGS=(--disable-radix-cache)\npython -m sglang.launch_server --device npu $ARGS\n",
        "PORTS=(8000 8001)\npython -m sglang.launch_server --device npu --port $PORTS\n",
        "#!/bin/zsh\nARGS=(--tp-size 8 --page-size 128)\npython -m sglang.launch_server --device npu $ARGS\n",
        'ARGS=(--tp-size 8 --page-size 128)\nARGS="${ARGS[*]}"\npython -m sglang.launch_server --device npu $ARGS\n',
        "export HCCL_BUFFSIZE=1\nARGS=(--tp-size 8 --page-size 128)\necho $ARGS ${ARGS[0]} ${#ARGS}\n",
        "ARGS=(--tp-size 8 --page-size 128)\nls $ARGS\n",
        Valid("```sh\nARGS=(\n  --a\n)\nexport HCCL_BUFFSIZE=1\n```\n", Kind.MARKDOWN),
    )
    INVALID = (
        (
            "OUTPUT_ARGS=(\n    --log-interval 100\n    --save-interval 100\n)\nexport HCCL_BUFFSIZE=100\n"
            'torchrun pretrain_gpt.py \\\n    «$OUTPUT_ARGS→"${OUTPUT_ARGS[@]}"» \\\n    --use-ascend-mc2\n'
        ),
        told(
            "```bash\nARGS=(--tp-size 8 --page-size 128)\n"
            'python -m sglang.launch_server --device npu «"${ARGS}"→"${ARGS[@]}"»\n```\n',
            kind=Kind.MARKDOWN,
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        document = context.document
        if "=(" not in document.text or not context.parsed.blocks:
            return
        for place in texts(document):
            text = place.document.text
            if place.document.kind is not Kind.SHELL or not _OF_FLAGS.search(text) or _OTHER_SHELL.match(text):
                continue
            for name, words, span in _first_words(place.document):
                at, near = place.content(span), f"${{{name}[@]}}"
                if at is not None:
                    fixes = self.fix(context, "rename", (Edit(at, f'"{near}"'),), Safety.UNSAFE, near=near)
                    first = words[0]
                    yield self.finding(
                        context, at, "found", option=name, fixes=fixes, count=len(words), first=first, near=near
                    )


def _first_words(document: Document) -> Iterator[tuple[str, list[str], Span]]:
    """Yield each array of flags whose name alone is a word of a command below it, with its words."""
    from npu_lsp.languages.shell.script import commands_of

    text, commands = document.text, commands_of(document)
    arrays: dict[str, list[str]] = {}
    for simple in commands:
        head = simple.words[0].lead if simple.words else ""
        for word in simple.words[1:] if head not in _PRINTING else ():
            piece = word.pieces[0] if len(word.pieces) == 1 else None
            if piece is not None and piece.kind is PieceKind.NAME and piece.text in arrays:
                yield piece.text, arrays[piece.text], word.span
        for array in simple.arrays:
            words = [text[slice(*word.span)] for word in array.words]
            name = text[slice(*array.name)]
            if len(words) > 1 and words[0].startswith("-") and not array.appended and not _is_text(name, text):
                arrays[name] = words
            elif not array.appended:
                arrays.pop(name, None)


def _is_text(name: str, text: str) -> bool:
    """Return whether a line gives a name a value that is no array."""
    return re.search(rf"(?<![\w${{]){name}\+?=(?!\()", text) is not None
