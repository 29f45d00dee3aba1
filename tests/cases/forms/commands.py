"""Commands that a script starts."""

import os
import shlex
import subprocess
from subprocess import check_call as call

SOC = "Ascend310P3"


def run(command):
    print(command)
    subprocess.run(command, shell=True, check=True)


def sourced(command):
    os.system(f"source set_env.sh && {command} > log")


def start(words, **more):
    return subprocess.Popen(["sudo", "-E", *words], **more)


quiet = lambda command: os.system(command + " > /dev/null")


def convert(model, batches):
    os.system("atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3")
    os.system(f"atc --model={model} --framework=5 --output={model}_om --soc_version={SOC}")
    os.popen("atc --model=%s --framework=%d" % (model, 5)).read()
    run("cd /tmp && ASCEND_GLOBAL_LOG_LEVEL=1 atc --model=b.pb --framework=3")
    run("atc --model={} --framework=5 "
        "--output={}".format(model, model))
    subprocess.call(["atc", "--model", "c.onnx", "--framework=5", "--output=" + model])
    call(shlex.split("atc --model=d.onnx --framework=5"))
    subprocess.Popen("atc --model=e.onnx --framework=5".split())
    words = ["atc", "--model=f.onnx"]
    words.append("--framework=5")
    words += ["--soc_version=" + SOC]
    if batches:
        words.append("--dynamic_batch_size=1,2")
    subprocess.check_output(words)
    command = "atc --model=g.onnx"
    command = command + " --framework=5"
    command += f" --output={model}"
    os.system(command)
    os.system(" ".join(["atc", "--model=h.onnx", f"--output={model}"]))
    subprocess.run("""
        source /usr/local/Ascend/set_env.sh
        atc --model=i.onnx \\
            --framework=5
    """, shell=True)
    for batch in [1, 2]:
        os.system(f"atc --model=j.onnx --output=j_{batch}")
    listed = ["atc", "--model=k.onnx", "--framework=3"]
    listed[2] = "--framework=5"
    listed.insert(1, "--output=k")
    sourced(f"atc --model={model} --framework=5")
    start(["atc", "--model=l.onnx"])
    start(listed)
    quiet("atc --model=m.onnx")
    os.spawnlp(os.P_WAIT, "atc", "atc", "--model=n.onnx", "--framework=5")
    get_ipython().system("atc --model=o.onnx --framework=5")
    print("atc --model=only_printed.onnx")
    # os.system("atc --model=commented_out.onnx")


async def convert_all(more):
    await asyncio.create_subprocess_exec("atc", "--model=p.onnx", *more)
    os.execvp("atc", ["atc", "--model=q.onnx", "--framework=5"])
