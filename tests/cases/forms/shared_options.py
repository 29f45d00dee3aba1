"""Constants that another script imports."""

DEBUG_LEVEL = 1
BUFFER = "l2_" + "optimize"
