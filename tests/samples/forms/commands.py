"""Commands that a script starts."""

import os
import shlex
import subprocess
from subprocess import check_call as call

SOC = "Ascend310P3"


def run(command):
    print(command)
    subprocess.run(command, shell=True, check=True)


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
    print("atc --model=only_printed.onnx")
    # os.system("atc --model=commented_out.onnx")
