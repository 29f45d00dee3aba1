convert() { atc --model=$1 --log=info }
for f (a b) { atc --model=$f }
typeset -x ASCEND_GLOBAL_LOG_LEVEL=3
