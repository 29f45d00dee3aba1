#!/bin/sh
# Variables of the environment.
. ./set_env.sh
export ASCEND_GLOBAL_LOG_LEVEL=3 ASCEND_SLOG_PRINT_TO_STDOUT="0"
level=1
export ASCEND_GLOBAL_EVENT_ENABLE=$level
declare -x HCCL_WHITELIST_DISABLE=1
HCCL_IF_IP=10.0.0.1
export HCCL_IF_IP
readonly HCCL_CONNECT_TIMEOUT=600
export HCCL_CONNECT_TIMEOUT
: "${TASK_QUEUE_ENABLE:=2}"
TASK_QUEUE_ENABLE=1 HCCL_EXEC_TIMEOUT=1200 python3 train.py
env -u X HCCL_BUFFSIZE=200 python3 train.py
eval "export HCCL_ALGO=level0:NA"
if [ -z "$ASCEND_CACHE_PATH" ]; then
  export ASCEND_CACHE_PATH=/tmp/cache
fi
DUMP_GE_GRAPH=2
export DUMP_GRAPH_LEVEL=1
python3 train.py
unset DUMP_GRAPH_LEVEL
export -n ASCEND_CACHE_PATH
export DUMP_GRAPH_PATH=$(pwd)/dump
# export HCCL_SOCKET_IFNAME=eth0
echo export HCCL_SOCKET_IFNAME=eth0
docker run -it -e ASCEND_DEVICE_ID=0 --env=HCCL_IF_IP=10.0.0.1 image python3 train.py
mpirun -np 8 -x PATH -x HCCL_CONNECT_TIMEOUT=600 python3 train.py
echo "export ASCEND_GLOBAL_EVENT_ENABLE=0" >> ~/.bashrc
