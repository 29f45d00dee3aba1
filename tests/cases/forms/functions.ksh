function convert { typeset m=$1; atc --model=$m --log=info; }
print "$(atc --mode=6)"
