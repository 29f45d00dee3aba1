"""What one command starts: its program, the environment in force there, its processes, devices, parallel sizes and ports."""
