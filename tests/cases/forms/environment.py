"""Environment variables: of the script, and of what it starts."""

import os
import os as system
import subprocess
from os import environ as E, putenv

LEVEL = "ASCEND_GLOBAL_LOG_LEVEL"
RANKS = {"RANK_ID": 0, "RANK_SIZE": 8}

os.environ["JOB_ID"] = "10087"
os.environ[LEVEL] = "3"
os.environ['ASCEND_SLOG_PRINT_TO_STDOUT'] = str(1)
os.environ.setdefault("ASCEND_DEVICE_ID", "0")
os.environ.update({"DUMP_GE_GRAPH": "2"}, DUMP_GRAPH_LEVEL="1")
os.environ |= {"ASCEND_OPP_PATH": f"{os.getcwd()}/opp"}
os.putenv("DEVICE_ID", "0")
putenv("TASK_QUEUE_ENABLE", "1")
E["RANK_TABLE_FILE"] = "/tmp/hccl.json"
system.environ["ASCEND_AICPU_PATH"] = "/usr/local"
own = os.environ
own["ASCEND_WORK_PATH"] = "/tmp"
for name, value in RANKS.items():
    os.environ[name] = str(value)
os.environ["CUDA_VISIBLE_DEVICES"] = "0"
print(os.environ["HCCL_CONNECT_TIMEOUT"], os.environ.get("HCCL_EXEC_TIMEOUT", "1"))
# os.environ["HCCL_BUFFSIZE"] = "1"

child = os.environ.copy()
child["ASCEND_GLOBAL_EVENT_ENABLE"] = "0"
subprocess.run(["train"], env=child)
subprocess.Popen("train", shell=True, env={**os.environ, "HCCL_WHITELIST_DISABLE": "1"})
subprocess.check_call(["train"], env=dict(os.environ, HCCL_IF_IP="10.0.0.1"))
os.environ.update({name: "1" for name in ("HCCL_DETERMINISTIC", "ASCEND_LAUNCH_BLOCKING")})
[os.environ.setdefault(name, value) for name, value in [("HCCL_OP_RETRY_ENABLE", "L1:0")]]
