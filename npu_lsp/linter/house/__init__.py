"""House rules: constraints that people write themselves on what the catalog knows."""
