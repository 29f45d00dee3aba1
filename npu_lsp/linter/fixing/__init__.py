"""How fixes are made: which go together, again and again, and what is taken back since it did something else."""
