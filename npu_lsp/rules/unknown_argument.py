"""NPU130: an argument that a script's own parser doesn't have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from npu_lsp.catalog.near import nearest
from npu_lsp.linter.context import MOST_OF_ONE, Context
from npu_lsp.linter.findings import Finding, Severity
from npu_lsp.linter.names.meant import is_another_release
from npu_lsp.linter.names.parsed import Elsewhere, is_whole, lacking, of_other_releases
from npu_lsp.linter.names.script_flags import Given, ScriptParser, longer, parsers
from npu_lsp.linter.names.unknown import is_known
from npu_lsp.linter.rule import Fixable, Invalid, Rule, Valid, told
from npu_lsp.linter.values import shortened
from npu_lsp.linter.versions.required import up_to_top
from npu_lsp.text import dependencies as surroundings
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Span

_SCRIPT = (
    "import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument('--torch_ckpt_path', type=str)\n"
    "parser.add_argument('--device_id', type=int, default=0)\nargs = parser.parse_args()\n"
)
_FILES = {"convert_weight.py": _SCRIPT}
_LLM = "python convert_ckpt.py --model-type GPT --load-dir a --save-dir b --target-tensor-parallel-size 2 "
_FORK = "@dataclass\nclass Arguments:\n    my_weight: float = 0.1\n"
_VERL = "python3 -m verl.trainer.main_ppo "
_FACTORY = "finetuning_type: lora\nstage: sft\ntemplate: qwen\n"
_OF_INFERENCE = re.compile(
    r"llamafactory-cli(?<!\wllamafactory-cli)[ \t]+(?P<command>chat|webchat|api|export)[ \t]+(?P<file>(?:[\w.-]{1,80}/){0,8}[\w.-]{1,80}\.ya?ml)(?![\w/*-])"
)
_OF_TRAINING = re.compile(
    rb"^(do_train|do_eval|do_predict|output_dir|per_device_train_batch_size|per_device_eval_batch_size|learning_rate|num_train_epochs"
    rb"|gradient_accumulation_steps|logging_steps|save_steps|lr_scheduler_type|warmup_ratio)[ \t]*:",
    re.MULTILINE,
)
"""Keys that the classes of inference don't have (LLaMA-Factory: `src/llamafactory/hparams/parser.py`, `_INFER_ARGS`)."""
_LARGEST = 1 << 16
_V2 = "python convert_ckpt_v2.py --load-dir a --save-dir b --target-tensor-parallel-size 2 "


def _slip(text: str, wrong: str, right: str, kind: Kind = Kind.SHELL) -> Invalid:
    return Invalid(text.format(wrong), (wrong,), ("warning unsafe",), text.format(right), kind=kind)


class UnknownArgument(Rule):
    """An argument that the parser of the started script doesn't have.

    ## What it does
    Looks at commands such as `python convert_weight.py --torch_ckpt_dir a`. Where the script stands in the project and its own
    `argparse` parser says all that it takes, each long flag is compared with that; a start that means one flag is taken, as `argparse`
    does. So is a script that a container gets through a ConfigMap, where a script of the deployment makes that of a file here. The scripts of MindSpeed-LLM that convert weights and data are known by release, too, wherever they stand, and so is what
    measures vLLM and SGLang (`vllm bench serve`, `sglang.bench_serving`) or stands in front of several (`sglang_router.launch_router`). ms-swift, LLaMA-Factory,
    also in its YAML, and verl take the names of any of their releases; what `+a.b=c` adds for verl is new on purpose, and
    so is what a fork of them declares that stands in the project. What the newest of these releases doesn't take any more is
    information, and a warning where an argument beside it came later, or where the text installs a release that doesn't take it.

    ## Why is this bad?
    `argparse` stops with `unrecognized arguments`.

    ## Fix safety
    Unsafe: from then on the argument takes effect.

    ## Configuration
    - `known`: names (or globs) that are right although no parser has them
    """

    code = "NPU130"
    title = Text(en="Argument that the script doesn't take", zh="脚本不支持的参数")
    severity = Severity.ERROR
    fixable = Fixable.SOMETIMES
    messages = {
        "near": Text(
            en='The parser of {script} has no argument "{option}": it stops with an error. Did you mean "{near}"?',
            zh="{script} 的参数解析器中没有“{option}”，会报错退出。是否应为“{near}”？",
        ),
        "unknown": Text(
            en='The parser of {script} has no argument "{option}": it stops with an error.',
            zh="{script} 的参数解析器中没有“{option}”，会报错退出。",
        ),
        "compared": Text(
            en='{script} compares its arguments with others, and ignores "{option}". Did you mean "{near}"?',
            zh="{script} 不识别参数“{option}”，会将其忽略。是否应为“{near}”？",
        ),
        "released": Text(
            en='{script} of {owner}{version} has no argument "{option}": it stops with an error.',
            zh="{owner}{version} 的 {script} 没有参数“{option}”，会报错退出。",
        ),
        "released_near": Text(
            en='{script} of {owner}{version} has no argument "{option}": it stops with an error. Did you mean "{near}"?',
            zh="{owner}{version} 的 {script} 没有参数“{option}”，会报错退出。是否应为“{near}”？",
        ),
        "ignored": Text(
            en='{script} of {owner}{version} has no argument "{option}": releases up to {last} ignore it silently, newer ones '
            "stop with an error.",
            zh="{owner}{version} 的 {script} 没有参数“{option}”：到 {last} 为止会被静默忽略，更新的版本会报错退出。",
        ),
        "ignored_near": Text(
            en='{script} of {owner}{version} has no argument "{option}": releases up to {last} ignore it silently, newer ones '
            'stop with an error. Did you mean "{near}"?',
            zh="{owner}{version} 的 {script} 没有参数“{option}”：到 {last} 为止会被静默忽略，更新的版本会报错退出。是否应为“{near}”？",
        ),
        "gone": Text(
            en='{script} of {owner} had "{option}" up to {last}: newer releases stop with an error.',
            zh="{owner} 的 {script} 到 {last} 为止支持“{option}”，更新的版本会报错退出。",
        ),
        "until": Text(
            en="From the release behind {release} on, {script} stops with an error at {options}.",
            zh="{release} 之后的 {script} 遇到 {options} 会报错退出。",
        ),
        "until_by": Text(
            en='{script} takes {options} up to {release}, and "{by}" only in newer releases: each stops with an error at one of them.',
            zh="{script} 到 {release} 为止支持 {options}，更新的版本才支持“{by}”：任何版本都会报错退出。",
        ),
        "until_pinned": Text(
            en="{script} {by} stops with an error at {options}: up to {release} it was taken.",
            zh="{script} {by} 遇到 {options} 会报错退出：该版本不再支持（到 {release} 为止支持）。",
        ),
        "not_yet": Text(
            en="{script} {by} stops with an error at {options}: it is taken from {release} on.",
            zh="{script} {by} 遇到 {options} 会报错退出：{release} 起才支持。",
        ),
        "of_training": Text(
            en='`llamafactory-cli {command}` stops with an error at "{option}" of this file, which is for training alone. Start it with '
            "`llamafactory-cli train`, or give it a file of its own.",
            zh="`llamafactory-cli {command}` 遇到该文件中仅用于训练的“{option}”会报错退出。请使用 `llamafactory-cli train`，或另写一个文件。",
        ),
        "rename": Text(en='Rename to "{near}"', zh="改为“{near}”"),
    }
    examples_say = Severity.WARNING
    VALID = (
        Valid("python convert_weight.py --torch_ckpt_path a --device 0\n", Kind.SHELL, files=_FILES),
        "python convert_weight.py --torch_ckpt_dir a\n",
        Valid("python3 /mnt/scripts/convert_weight.py --torch_ckpt_pth a\n", Kind.SHELL, files=_FILES),
        # Of the scripts that are called so in the folders above, one takes it.
        Valid(
            "```sh\npython convert_weight.py --model a --device_id 1\n```\n",
            Kind.MARKDOWN,
            files={**_FILES, "../convert_weight.py": _SCRIPT.replace("torch_ckpt_path", "model")},
        ),
        # Another file than the one here is started, or none.
        *(
            Valid(f"{before} convert_weight.py --torch_ckpt_dir a\n", Kind.SHELL, files=_FILES)
            for before in (
                "cd other\npython",
                "cd $HOME/other && python",
                "cd ../.. && python",
                "docker exec a python",
                "python -m pylint",
                "torchrun -m a.b --config",
            )
        ),
        # Its parser isn't all that it takes.
        *(
            Valid("python convert_weight.py --torch_ckpt_dir a\n", Kind.SHELL, files={"convert_weight.py": text})
            for text in (
                _SCRIPT.replace("parse_args()", "parse_known_args()"),
                _SCRIPT.replace("args = ", "add_options(parser)\nargs = "),
                _SCRIPT + "for name in NAMES:\n    parser.add_argument(name)\n",
                _SCRIPT + "add = parser.add_argument\nadd('--torch_ckpt_dir')\n",
                _SCRIPT.replace("argparse.ArgumentParser()", "add_options(argparse.ArgumentParser())"),
                _SCRIPT.replace("args = ", "Engine().add_options(parser)\nargs = ") + "def add_options(): pass\n",
                _SCRIPT.replace("parser", "self.parser").replace("args = ", "add_options(self.parser)\nargs = "),
                _SCRIPT.replace("parser = ", "def a_parser():\n  return ").replace("\nparser", "\na_parser()")
                + "use(a_parser())\n",
                _SCRIPT.replace("argparse", "jsonargparse"),
                # Another module's function reads the command line as well.
                "from tools.arg_parser import parse_args_and_config\nargs, config = parse_args_and_config()\n"
                + _SCRIPT,
            )
        ),
        Valid("FROM a\nWORKDIR /b\nRUN python convert_weight.py --torch_ckpt_dir a\n", Kind.DOCKERFILE, files=_FILES),
        Valid(
            "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    - name: a\n      command: [bash, -c]\n      args:\n"
            "        - python convert_weight.py --torch_ckpt_dir a\n",
            Kind.YAML,
            files=_FILES,
        ),
        "vllm bench throughput --model m --no-enable-prefix-caching --num_prompts 2 --random-input 3\n",
        "python preprocess_data.py --input a --output-prefix b --ours c\n",
        _LLM + "--noop-layers 1\n",
        "python tools/datasets/preprocess_data.py --input a --output-prefix b --workers 4 --jsonl-keys t\n",
        # New on purpose, of a configuration of somebody's own, and the other sign between the words.
        _VERL + "trainer.device=npu +trainer.mine=1 actor_rollout_ref.actor.mine.size=2\n",
        *(
            f"{_VERL}{option} trainer.mine=1\n"
            for option in (
                "--config-name=mine",
                "-cn=mine",
                "--config-path ./config",
                "--config-path=c --config-name='a'",
            )
        ),
        Valid("swift sft --model m --my_weight 2\n", Kind.SHELL, files={"swift/arguments/sft_args.py": _FORK}),
        Valid(
            "finetuning_type: lora\nstage: sft\nmodel_name_or_path: m\nmy_weight: 2\n",
            Kind.YAML,
            files={"src/llamafactory/hparams/my_args.py": _FORK},
        ),
        "swift sft --lora-rank 8 --ignore_args_error true --mine 1\nmegatron sft --lora_rank 8\n",
        Valid(_FACTORY + "cutoff_len: 1024\n", Kind.YAML),
        _VERL + "+trainer.npu_profile.options.level=level1\n",
        "pip install ms-swift==3.7.2\nswift sft --model m --train_type lora\n",
        Valid(
            "swift sft --model m --sft_type a\n",
            Kind.SHELL,
            files={"swift/arguments/sft_args.py": "    sft_type: str\n"},
        ),
        Valid("finetuning_type: lora\nmine: 1\nours: 2\n", Kind.YAML),
    )
    INVALID = (
        "python convert_ckpt.py --model-type GPT --load-dir a --save-dir b «--target-tensor-paralel-size→--target-tensor-parallel-size» 2\n",
        # What a container gets of the folder of its deployment.
        told(
            "python3 /mnt/scripts/convert_weight.py «--torch_ckpt_pth→--torch_ckpt_path» a\n",
            "error unsafe",
            files={
                "tools/convert_weight.py": _SCRIPT,
                "deploy.sh": "kubectl create configmap scripts --from-file=./tools/convert_weight.py -n a\n",
            },
        ),
        told(
            "python3 /mnt/scripts/convert.py a «--mxa-size→--max-size» 8 --b\n",
            files={
                "../tools/convert.py": "import sys\nif sys.argv[2] == '--max-size':\n    convert()\n",
                "../deploy.sh": "kubectl create configmap scripts --from-file=./tools/convert.py -n a\n",
            },
        ),
        # What is told by its place has no flag.
        told(
            "python convert_weight.py «--model_id» a\n",
            "error",
            files={"convert_weight.py": _SCRIPT.replace("--torch_ckpt_path", "model_id")},
        ),
        _slip("swift sft {} 2\n", "--gradient_acumulation_steps", "--gradient_accumulation_steps"),
        _slip("llamafactory-cli train {} 2\n", "--do_trian", "--do_train"),
        _slip("vllm bench serve --model m {} 2\n", "--max-concurency", "--max-concurrency"),
        _slip("python -m sglang.bench_serving --backend sglang {} 2\n", "--request-rates", "--request-rate"),
        _slip(_VERL + "{}=8\n", "trainer.n_gpus_per_nod", "trainer.n_gpus_per_node"),
        _slip(_FACTORY + "{}: 8\n", "lora_ranks", "lora_rank", Kind.YAML),
        "megatron sft «--use_fused_rmsnorm»\n",
        f"{_VERL}--config-name='ppo_trainer' «trainer.frobnicate»=8\n",
        told("python convert_weight.py --torch_ckpt_path a «--frobnicate»\n", "error", files=_FILES),
        told(
            "```bash\npython convert_weight.py \\\n  «--torch_ckpt_pth→--torch_ckpt_path»=a\n```\n",
            "error unsafe",
            Kind.MARKDOWN,
            files=_FILES,
        ),
        _LLM + "«--target-pipline-parallel-size→--target-pipeline-parallel-size» 2\n",
        told(_LLM + "«--input-model-dir» c\n", "info"),
        _V2 + "«--load-model-tpye→--load-model-type» hf\n",
        told(_V2 + "«--input-model-dir» c\n", "info"),
        told(_LLM + "«--target-tp-size» 2\n", "info"),
        told(_LLM + "«--target-tp-size» 2\n", target={"mindspeed": "26.0"}),
        told("swift sft «--model_id_or_path» m --sft_type lora\n", "info"),
        told(_FACTORY + "«image_resolution»: 2\n", "info", Kind.YAML),
        told(_FACTORY + "«train_mm_proj_only»: false\nbf16: false\n", "info", Kind.YAML),
        "pip install ms-swift==4.1.0\nswift sft --model m «--train_type» lora\n",
        'pip install "ms_swift[all]==3.7.2"\nswift sft --model m --train_type lora «--enable_dft_loss» true\n',
        "pip install verl==0.2.0.post2\n" + _VERL + "«actor_rollout_ref.actor.checkpoint.contents»=[model]\n",
        told(
            _VERL + "«trainer.npu_profile.options.level»=level1 «actor_rollout_ref.rollout.skip_rollout»=True\n",
            ("warning", "info"),
        ),
        _VERL + "«--trainer.nnodes→trainer.nnodes»=1 --trainer.ours=2\n",
        told(
            "llamafactory-cli chat «sft.yaml»\nllamafactory-cli train sft.yaml\nllamafactory-cli export other.yaml\n",
            files={"sft.yaml": _FACTORY + "do_train: true\n", "other.yaml": _FACTORY},
        ),
        _slip(
            "python -m sglang_router.launch_router {} --prefill http://a:1 2\n",
            "--pd-disagregation",
            "--pd-disaggregation",
        ),
    )

    def check_file(self, context: Context) -> Iterator[Finding]:
        told = 0
        for given, parser in parsers(context):
            for each in given:
                if not is_known(each.name, context) and not is_known(each.name[2:], context):
                    # Each is compared with all that a script takes: who has so many takes something else.
                    found = [*self._look(each, parser, context, compare=told < MOST_OF_ONE)]
                    told += len(found)
                    yield from found
        for block in context.parsed.blocks:
            if is_whole(block, context):
                for setting in lacking(block, context):
                    near = context.catalog.near(setting.surface, setting.name, wrong=True)
                    if near is None and is_another_release(context, setting.surface):
                        continue
                    yield self.finding(
                        *(context, setting.key, "near" if near else "unknown"),
                        of=setting,
                        severity=Severity.WARNING,
                        fixes=self.renamed(context, setting, near) if near else [],
                        near=near or "",
                        script=setting.surface.row.tool,
                    )
                for other in of_other_releases(block, context):
                    yield from self._elsewhere(other, context)

        yield from self._of_training(context)

    def _of_training(self, context: Context) -> Iterator[Finding]:
        """Look for the file of a training that LLaMA-Factory is to chat with, or to export."""
        path, text = context.document.path, context.document.text
        if not path or "llamafactory-cli" not in text or "ALLOW_EXTRA_ARGS" in text:
            return
        for match in _OF_INFERENCE.finditer(text):
            for folder in up_to_top(path, context.root):
                content = surroundings.content_below(Path(folder), match["file"], _LARGEST)
                key = _OF_TRAINING.search(content) if content is not None else None
                if key is not None:
                    yield self.finding(
                        *(context, Span(*match.span("file")), "of_training"),
                        severity=Severity.WARNING,
                        command=match["command"],
                        option=key[1].decode(),
                    )
                if content is not None:
                    break

    def _elsewhere(self, told: Elsewhere, context: Context) -> Iterator[Finding]:
        """Report the arguments of one command that a release doesn't take: one slip, told once."""
        settings = [each for each in told.settings if not is_known(each.name, context)]
        if not settings or is_another_release(context, settings[0].surface):
            return
        surface = settings[0].surface
        # What came later has its old names behind it.
        now = {} if told.later else context.catalog.plain("other_flags")[surface.value].get("now", {})
        said = [
            f"{each.name} (→ {new})" if (new := now.get(each.name.replace("-", "_"))) else each.name
            for each in settings
        ]
        pinned = told.by is not None and told.by[:1].isdigit()
        form = "not_yet" if told.later else "until_pinned" if pinned else "until_by" if told.by else "until"
        yield self.finding(
            *(context, settings[0].key, form),
            of=settings[0],
            severity=Severity.WARNING if told.by else Severity.INFO,
            script=surface.row.tool,
            options=shortened(said, context.language),
            release=told.release,
            by=told.by or "",
        )

    def _look(self, given: Given, parser: ScriptParser, context: Context, *, compare: bool) -> Iterator[Finding]:
        name = longer(given.name, parser)
        by_release = parser.owner.startswith("MindSpeed")
        version = context.target.version("mindspeed") if by_release else None
        if name is not None:
            if name in parser.gone and version is None:
                yield self.finding(
                    *(context, given.key, "gone"),
                    option=given.name,
                    script=parser.script,
                    owner=parser.owner,
                    last=parser.gone[name],
                    severity=Severity.INFO,
                )
            return
        # What has no dashes is filled in by its place.
        flags = [each for each in parser.flags if each.startswith("-")]
        near = nearest(given.name, flags, careful=by_release) if compare else None
        if parser.compares and near is None:
            return
        sure = not parser.owner or near is not None or version is not None
        form = "ignored" if parser.lenient else "released" if parser.owner else "near" if near else "unknown"
        yield self.finding(
            context,
            given.key,
            "compared" if parser.compares else f"{form}_near" if parser.owner and near else form,
            option=given.name,
            severity=(Severity.WARNING if sure else Severity.INFO) if parser.owner or parser.compares else None,
            fixes=self.renamed_at(context, given.key, near) if near else [],
            near=near or "",
            script=parser.script,
            owner=parser.owner,
            last=parser.lenient,
            version=f" {version.text}" if version is not None else "",
        )
