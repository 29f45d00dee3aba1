"""What is particular to TensorFlow: how a session is set up, and what it has in common with an `NPURunConfig`."""
