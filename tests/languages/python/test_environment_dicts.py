"""Dicts of variables that others get: told by names, shape and destination, and nothing else is one."""

from __future__ import annotations

from npu_lsp.catalog.model import Surface
from tests.languages.python.told import reading, settings, told
from tests.together import together

BOTH = '{"HCCL_A": "1", "HCCL_B": "2"}'


@together(
    "text",
    [
        f"with patch.dict(os.environ, {BOTH}):\n    pass\n",
        f'@mock.patch.dict("os.environ", {BOTH}, clear=True)\ndef test():\n    pass\n',
        'with patch.dict(os.environ, HCCL_A="1", HCCL_B="2"):\n    pass\n',
        f"more = {BOTH}\nwith patch.dict(os.environ, more):\n    pass\n",
        'def test(monkeypatch):\n    monkeypatch.setenv("HCCL_A", "1")\n    monkeypatch.setenv("HCCL_B", "2", False)\n',
        f'ray.init(runtime_env={{"env_vars": {BOTH}}})\n',
        f'many = {BOTH}\nray.init(runtime_env={{"env_vars": many}})\n',
        f'RUNTIME_ENV = {{"env_vars": {BOTH}}}\n',
        f"env_dict = {BOTH}\nstart(env_dict=env_dict)\n",
        'env_dict = {"HCCL_A": "1"}\nenv_dict.update({"HCCL_B": "2"})\nstart(env_dict)\n',
        f"start(env_dict={BOTH})\n",
        'env = os.environ.copy()\nenv["HCCL_A"] = "1"\nenv.update({"HCCL_B": "2"})\n',
        'env = {**os.environ, "HCCL_A": "1"}\nenv.setdefault("HCCL_B", "2")\nstart(env)\n',
        'server_env = dict(os.environ, HCCL_A="1", HCCL_B="2")\n',
        'self.env["HCCL_A"] = "1"\nself.env["HCCL_B"] = "2"\n',
        'runtime_env["env_vars"]["HCCL_A"] = "1"\nruntime_env["env_vars"]["HCCL_B"] = "2"\n',
        f"SERVER_ENV = {BOTH}\n",
        f"def make_envs(ip):\n    return {BOTH}\n",
        'extraEnv = {"HCCL_A": "1"} | {"HCCL_B": "2"}\n',
        f"start(env=None if plain else {BOTH})\n",
        f"cases = [Case(env={BOTH})]\n",
        f"ENVS = {BOTH}\nfor k, v in ENVS.items():\n    os.environ[k] = v\n",
        f"def f(envs=None):\n    if not envs:\n        envs = {BOTH}\n    for k, v in envs.items():\n        if x:\n            os.environ[k] = v\n",
    ],
)
def test_a_dict_that_goes_to_an_environment(text: str) -> None:
    assert told(text) == [("HCCL_A", "1"), ("HCCL_B", "2")]
    assert all(setting.surface is Surface.ENV for setting in settings(text))
    assert all(block.open for block in reading(text).blocks)


@together(
    "text",
    [
        # Tables of what is known about variables, and of what they were.
        f"FEATURE_ENVS = {BOTH}\nfor name, feature in FEATURE_ENVS.items():\n    print(name, feature)\n",
        f"FEATURE_ENVS = {BOTH}\nfor name, feature in FEATURE_ENVS.items):\n    print(name, feature)\n",
        f"ENVS = {BOTH}\nprint(ENVS.get(name))\n",
        f"ENVS = {BOTH}\nfor k, v in ENVS.items():\n    os.environ[v] = k\n",
        f"ENV_NAMES = {BOTH}\n",
        'environment_variables = {"HCCL_A": lambda: os.getenv("HCCL_A")}\n',
        'old_env = {"HCCL_A": os.environ.get("HCCL_A"), "HCCL_B": os.environ["HCCL_B"]}\n',
        'env_docs = {"HCCL_A": {"type": "int"}, "HCCL_B": "2"}\n',
        # No destination.
        f"options = {BOTH}\n",
        f"check({BOTH})\n",
        'options["HCCL_A"] = "1"\n',
        'options.setdefault("HCCL_A", "1")\n',
        'result.setenv("HCCL_A")\n',
        # Names of others.
        'env = {"HOME": "/", "PATH": "/bin"}\nstart(env=env)\n',
        'monkeypatch.setenv("HOME", "/")\n',
    ],
)
def test_another_dict_is_none(text: str) -> None:
    assert told(text) == []


def test_a_default_sets_a_variable_that_has_no_value() -> None:
    assert told('env["HCCL_A"] = env.pop("HCCL_A", "1")\n') == [("HCCL_A", "<unknown>")]
    assert told('start(env_vars={"HCCL_A": os.getenv("HCCL_A", "1")})\n') == [("HCCL_A", "<unknown>")]
    for default in ("", ', ""', ", None"):
        assert told(f'env["HCCL_A"] = env.pop("HCCL_A"{default})\n') == []


def test_what_is_built_up_under_a_name_is_one_block() -> None:
    text = 'env = {"HCCL_A": "1"}\nif x:\n    env["HCCL_A"] = "2"\nstart(env=env)\n'
    (block,) = reading(text).blocks
    assert [(s.value.data, bool(s.branch)) for s in block.settings] == [("1", False), ("2", True)]


def test_two_tests_have_nothing_to_do_with_each_other() -> None:
    text = '@patch.dict(os.environ, {"HCCL_A": "1"})\ndef one(): ...\n@patch.dict(os.environ, {"HCCL_A": "2"})\ndef two(): ...\n'
    assert len(reading(text).blocks) == 2


def test_a_process_keeps_its_block() -> None:
    text = 'env = os.environ.copy()\nenv["HCCL_A"] = "1"\nsubprocess.run(x, env=env)\n'
    assert told(text) == [("HCCL_A", "1")]
