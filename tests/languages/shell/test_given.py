"""What a script gives to others: JSON with an environment, files that it writes, commands that set variables elsewhere."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from npu_lsp.languages.triggers import may_match
from npu_lsp.languages.writers import writer_for
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import apply_edits
from tests.languages.shell.found import UNKNOWN, script, settings, value
from tests.together import together

NAME = "TASK_QUEUE_ENABLE"
JSON = f'{{"env_vars": {{"A": "b", "{NAME}": "2"}}}}'
ESCAPED = JSON.replace('"', '\\"')


def given(text: str) -> list[tuple[str, str]]:
    assert may_match(Kind.SHELL, text.encode())
    return [(setting.name, value(setting)) for setting in settings(text, Surface.ENV) if setting.name == NAME]


@together(
    "text",
    [
        f"ray job submit --runtime-env-json '{JSON}' -- python3 a.py",
        f"ray job submit --runtime-env-json='{JSON}' -- python3 a.py",
        f'ray job submit --runtime-env-json="{ESCAPED}" -- python3 a.py',
        f"CONFIG='{JSON}'\nray job submit --runtime-env-json=\"$CONFIG\"",
        f'CONFIG="\n{ESCAPED}\n"\nray job submit --runtime-env-json="${{CONFIG}}" -- python3 a.py',
        f"args=(--runtime-env-json '{JSON}')",
        f"kubectl set env deployment/x {NAME}=2 -n y",
        f"kubectl -n y set env -f a.yaml {NAME}=2",
        f"conda env config vars set {NAME}=2",
        f"ctr run --env {NAME}=2 image name",
        f"cat > run.sh <<EOF\nexport {NAME}=2\nEOF\n",
        f"cat > \"$dir/run.sh\" <<'EOF'\nexport {NAME}=2\nEOF\n",
        f"cat <<EOF > $file\nexport {NAME}=2\nEOF\n",
        f"file=$dir/a.yaml\ncat > $file <<YAML\nenv:\n  {NAME}: 2\nYAML\n",
        f'file=a.yaml\ncat <<EOF > "$file"\nenv:\n  {NAME}: 2\nEOF\n',
        f"sudo tee $file <<'ENV'\n{NAME}=2\nENV\n",
        f'cat > "${{FILE}}" <<JSON\n{JSON}\nJSON\n',
        f"sudo tee -a /etc/npu.env <<EOF\n{NAME}=2\nEOF\n",
        f"cat <<EOF | tee x\nexport {NAME}=2\nEOF\n",
        f"cat <<EOF | kubectl apply -f -\nenv:\n- name: {NAME}\n  value: '2'\nEOF\n",
        f"kubectl apply -f - <<EOF\nenv:\n- name: {NAME}\n  value: '2'\nEOF\n",
        f"cat > launch.json <<EOF\n{JSON}\nEOF\n",
        f'docker run -e "{NAME}=2" image',
        f"docker run --env='{NAME}=2' image",
        f'ARGS=(-e {NAME}=2)\ndocker run "${{ARGS[@]}}" image',
        f'ARGS=()\nif x; then\n  ARGS+=(--env "{NAME}=2")\nfi\npodman run "${{ARGS[@]}}" image',
    ],
)
def test_a_variable_that_others_get(text: str) -> None:
    assert given(text) == [(NAME, "2")]


@together(
    "text",
    [
        f"""curl -d '{{"model": {{"{NAME}": "2"}}}}' host # env""",
        f"echo '{{\"env\": 1}}' {NAME}",
        f"cat > README.md <<EOF\nWrite export {NAME}=2\nEOF\n",
        f"cat <<EOF\nexport {NAME}=2\nEOF\n",
        f"cat <<YAML\nenv:\n  {NAME}: 2\nYAML\n",
        f"file=a.md\ncat > $file <<EOF\nexport {NAME}=2\nEOF\n",
        f"kubectl get env {NAME}",
        f'ARGS=(-e {NAME}=2)\npython3 a.py "${{ARGS[@]}}"',
        f"ARGS=(-e {NAME}=2)",
    ],
)
def test_what_nobody_gets(text: str) -> None:
    assert list(settings(text, Surface.ENV)) == []


def test_what_is_filled_in_is_not_known() -> None:
    text = 'X="{\\"env\\": {\\"TASK_QUEUE_ENABLE\\": \\"$1\\", \\"HCCL_ALGO\\": $2}}"\n'
    assert {(s.name, value(s)) for s in settings(text)} == {(NAME, UNKNOWN), ("HCCL_ALGO", UNKNOWN)}


def test_a_value_in_escaped_json_is_changed() -> None:
    document = script(f'CONFIG="{ESCAPED}"\n')
    setting = next(each for each in settings(document.text) if each.name == NAME)
    changed = apply_edits(document.text, writer_for(setting).set_value(document, setting, "1"))
    assert changed == document.text.replace('\\"2\\"', '\\"1\\"')


@together(
    "text",
    [
        f'options="{NAME}=2 HCCL_BUFFSIZE=110"\nenv $options python3 a.py\n',
        f"options='HCCL_BUFFSIZE=110 {NAME}=2'\neval \"$options python3 a.py\"\n",
        f'all="source a.sh\n# why\nexport {NAME}=2\nexport X=$Y\n"\necho "$all" >> "$file"\n',
        f'line="#!/bin/bash\\nexport {NAME}=2\\nexport X=\\$Y"\necho -e $line > set_env.bash\n',
        f'line="export {NAME}=2"\nsed -i "/x/c $line" set_env.bash\n',
        f'CONFIG=$(cat <<EOF\n{{"env_vars": {{"{NAME}": "2", "A": "$B"}}}}\nEOF\n)\n',
        f'sshpass -p x ssh me@host "\n  docker run -e {NAME}=2 \\\n    image\n"\n',
    ],
)
def test_texts_that_somebody_runs(text: str) -> None:
    assert given(text) == [(NAME, "2")]


@together(
    "text",
    [
        f'said="{NAME}=$X"\n',
        f'said="{NAME}=2 is what we need"\n',
        f'said="set {NAME}=2 X=1"\n',
        f'said="please export {NAME}=2"\n',
        f'cat <<EOF\n{{"{NAME}": "2"}}\nEOF\n',
    ],
)
def test_texts_about_variables(text: str) -> None:
    assert list(settings(text, Surface.ENV)) == []


def test_a_value_in_a_list_of_variables_is_changed() -> None:
    document = script(f'options="X=1 {NAME}=2"\n')
    setting = next(each for each in settings(document.text) if each.name == NAME)
    assert apply_edits(document.text, writer_for(setting).set_value(document, setting, "1")) == (
        f'options="X=1 {NAME}=1"\n'
    )
