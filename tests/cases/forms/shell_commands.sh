#!/bin/bash
# How people start atc and aoe.
atc --model=a.onnx --framework=5 --output=a --soc_version=Ascend310P3
/usr/local/Ascend/latest/bin/atc -framework 5 --log-level=info
ATC="${ASCEND_HOME_PATH}/bin/atc"
"${ATC}" --mode=0 \
    --input_shape="images:1,3,640,640" \
    --out_nodes='a:0;b:1'
$(which atc) --log=info
${AOE:-aoe} --job_type=2 --framework=5
sudo -E env LC_ALL=C time nohup atc --log=error > log 2>&1 &
timeout -k 5 10m atc --log=debug | tee log.txt
$SUDO atc --log=null
LD_LIBRARY_PATH=/x atc --log=info
if ! atc --log=info; then exit 1; fi
[[ -f a.onnx && 3 -gt 2 ]] && atc --log=info || echo failed
for bs in 1 4 8; do atc --output="a_bs${bs}" --log=info; done
while read -r name; do atc --model="$name" --log=info; done < list.txt
case $1 in
  onnx) atc --framework=5 ;;
  tf | pb) atc --framework=3 ;;
esac
convert() {
  atc --model="$1" --output="$2" --log=info
}
convert a.onnx a
run() { echo "+ $*"; "$@"; }
run atc --log=info
( cd models && atc --log=info )
out=$(atc --mode=1 --om=a.om --json=a.json) || echo "$out"
find . -name '*.onnx' | xargs -n 1 atc --framework=5 --model
docker run --rm image bash -lc "source set_env.sh && atc --log=info"
ssh host <<'EOF'
cd /data && atc --log=info
EOF
bash -s <<EOF
atc --soc_version=$1 --log=info
EOF
cat <<EOF
usage: atc --model=... --log=none
EOF
echo "atc --log=none" # atc --log=none
bash <<< "atc --mode=0 --log=info"
echo 'atc --mode=3 --log=info' | sudo bash
su - user -c "cd models && atc --mode=5" -s /bin/bash
set -- --model=a.onnx --framework=5
atc "$@" --output=a
more=(--model=b.onnx)
for size in 1 4; do more[${#more[@]}]="--input_shape=x:$size,3"; done
atc "${more[@]}" --framework=5
stored='atc --model=c.onnx'
chosen=${stored}
. ./common.sh
