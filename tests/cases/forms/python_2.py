# -*- coding: utf-8 -*-
import tensorflow as tf

print "Python", 2
try:
    exec "import npu"
except ImportError, error:
    raise RuntimeError, "no npu"
custom_op = config.graph_options.rewrite_options.custom_optimizers.add()
custom_op.name = u"NpuOptimizer"
custom_op.parameter_map["use_off_line"].b = True
if a <> b: print >>log, `a`; custom_op.parameter_map["precision_mode"].s = "force_fp16"
custom_op.parameter_map["iterations_per_loop"].i = 10L
for key, value in {"dump_path": "/tmp"}.iteritems():
	custom_op.parameter_map[key].s = value
mode = 0777
