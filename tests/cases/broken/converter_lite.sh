converter_lite --saveType=MINDIR --fmk=ONXN --optimize=ascend_oriented:910b --modelFile=a.onnx --outputFile=a --configFile=config_lite.txt
./tools/converter/converter/converter_lite --fmk=ONNX --modelfile=a.onnx --device=Ascend --optimize=general --quantType=x --fp16=true
