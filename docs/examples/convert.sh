atc --model=resnet50.onnx --framework=5 --output=resnet50
    --soc_version=Ascend310P3
