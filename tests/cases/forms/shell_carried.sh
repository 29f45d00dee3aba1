#!/usr/bin/env bash
# Flags that reach a command by way of something else.
soc=Ascend310P3
shape="data:1,3,224,224"
args=(--framework=5 "--input_shape=${shape}") # why
args+=(
  --output_type=FP16
  --log=info
)
atc "${args[@]}" --soc_version=$soc
opts="--framework=5 --log=error"
opts="$opts --mode=0"
opts+=" --soc_version=${soc}"
atc $opts --model=a.onnx
command="atc --model=b.onnx --input_shape='$shape'"
eval $command
eval "$command"
whole=(atc --model=c.onnx)
whole+=(--log=info)
"${whole[@]}"
bash -c "atc --soc_version=$soc --input_shape='$shape' --log=\$level"
bash -c 'atc --soc_version=$soc'
forward() {
  local level=${1:-info}
  atc --log=$level "$@"
}
atc --model="$1" --log="${LOG:-info}" --out_nodes="a:0"';b:1'
