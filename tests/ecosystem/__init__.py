"""What a change makes of public code: the findings, fixes and settings that two states of the program have there."""
