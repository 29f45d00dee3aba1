"""What installs packages and starts containers is read: commands, requirements, environments, Dockerfiles, Compose, Kubernetes."""

from __future__ import annotations

import pytest

from npu_lsp.catalog.model import Surface
from npu_lsp.languages import read
from npu_lsp.text.document import Document
from npu_lsp.text.kinds import Kind

_RUN = "docker run {} quay.io/ascend/vllm-ascend:v0.18.0 bash\n"


def _told(text: str, kind: Kind = Kind.SHELL, surface: Surface = Surface.CONTAINER) -> list[tuple[str, object]]:
    blocks = [block for block in read(Document(text, kind=kind)).blocks if block.surface is surface]
    return [(s.name, s.value.data if s.value.known else None) for block in blocks for s in block.settings]


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        ("--device /dev/davinci0 --rm -itd", [("device", "/dev/davinci0")]),
        ("--device=/dev/davinci0 --name x", [("device", "/dev/davinci0")]),
        ("-v/a:/b -v /c:/d -itv /e:/f", [("volume", "/a:/b"), ("volume", "/c:/d"), ("volume", "/e:/f")]),
        ("--privileged --shm-size 1g --net=host -p 80:80", [("privileged", True), ("shm-size", "1g")]),
        ("--mount type=bind,source=/a,target=/b", [("volume", "type=bind,source=/a,target=/b")]),
        ("-u root --cap-drop ALL --runtime ascend", [("user", "root"), ("cap-drop", "ALL"), ("runtime", "ascend")]),
    ],
)
def test_flags_of_a_container(flags: str, told: list[tuple[str, object]]) -> None:
    image = ("image", "quay.io/ascend/vllm-ascend:v0.18.0")
    for program in ("docker", "sudo docker", "podman", "nerdctl", "docker container"):
        assert _told(_RUN.replace("docker", program, 1).format(flags)) == [*told, image]


def test_what_is_behind_the_image_is_the_command() -> None:
    assert _told("docker run ascend/x:1 --device /dev/davinci0\n") == [("image", "ascend/x:1")]
    assert _told("docker exec ascend --device /dev/davinci0\n") == []
    assert _told("docker run --rm nginx --device x\n") == []


def test_an_image_in_a_variable() -> None:
    assert _told("export IMAGE=ascend/x:1\ndocker run --device /dev/davinci0 $IMAGE\n")[-1] == ("image", "ascend/x:1")
    assert _told("docker run --device /dev/davinci0 $IMAGE bash\n")[-1] == ("image", None)
    assert _told("docker run --device /dev/davinci0 $FLAGS ascend\n")[-1] == ("image", "ascend")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("pip install torch-npu==2.7.1\n", Kind.SHELL),
        ("python3 -m pip install -i https://x 'torch_npu==2.7.1'\n", Kind.SHELL),
        ("V=2.7.1\nuv pip install torch-npu==$V\n", Kind.SHELL),
        ("# x\n-i https://x\ntorch_npu==2.7.1  # y\nscipy<2\n", Kind.REQUIREMENTS),
        ("dependencies:\n  - python=3.11\n  - pip:\n      - torch-npu==2.7.1\n", Kind.YAML),
        ("FROM x\nRUN pip install \\\n    torch-npu==2.7.1\n", Kind.DOCKERFILE),
        ("```sh\npip install torch-npu==2.7.1\n```\n", Kind.MARKDOWN),
    ],
)
def test_packages(text: str, kind: Kind) -> None:
    assert _told(text, kind, Surface.PACKAGE) == [("torch-npu", "==2.7.1")]


def test_no_packages() -> None:
    assert _told("pip uninstall torch-npu\npip install ./torch_npu-2.7.1-cp311.whl\n", surface=Surface.PACKAGE) == []
    assert _told("torch-npu @ https://x/y.whl\n", Kind.REQUIREMENTS, Surface.PACKAGE) == []


def test_containers_of_yaml() -> None:
    compose = (
        "services:\n  a:\n    image: ascend/x:1\n    privileged: true\n    devices:\n      - /dev/davinci0:/dev/davinci0\n"
        "    cap_drop: [ALL]\n  b:\n    image: nginx\n    devices:\n      - /dev/fuse\n"
    )
    assert _told(compose, Kind.YAML) == [
        ("image", "ascend/x:1"),
        ("privileged", "true"),
        ("device", "/dev/davinci0:/dev/davinci0"),
        ("cap-drop", "ALL"),
    ]
    pod = (
        "spec:\n  containers:\n    - name: a\n      image: x\n      resources:\n        limits:\n          huawei.com/Ascend910: 1\n"
        "      securityContext:\n        runAsUser: 1000\n        capabilities:\n          drop:\n            - ALL\n"
        "      volumeMounts:\n        - name: d\n          mountPath: /usr/local/Ascend/driver\n"
    )
    assert _told(pod, Kind.YAML) == [
        ("image", "x"),
        ("resource", "huawei.com/Ascend910"),
        ("user", "1000"),
        ("cap-drop", "ALL"),
        ("volume", "/usr/local/Ascend/driver"),
    ]


def test_images_of_a_dockerfile() -> None:
    text = "ARG TAG=v0.18.0\nFROM --platform=linux/arm64 quay.io/ascend/vllm-ascend:${TAG} AS a\nFROM ascend/x:$OTHER\nFROM ubuntu\n"
    assert _told(text, Kind.DOCKERFILE) == [("image", "quay.io/ascend/vllm-ascend:v0.18.0"), ("image", None)]
