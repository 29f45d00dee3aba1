"""What programs refuse of a launch as a whole, as the table `refusals.toml` says."""
