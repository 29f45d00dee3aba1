import unittest

import pytest
from torchair import CompilerConfig

config = CompilerConfig()


class Rejected(unittest.TestCase):
    def test_limit(self):
        with self.assertRaises(ValueError) as context:
            config.experimental_config.static_model_ops_lower_limit = "-1"
        self.assertIn("integer", str(context.exception))


def test_steps():
    config.dump_config.enable_dump = True
    config.dump_config.dump_step = "0"
    config.dump_config.dump_step = "0|1|2-5|6"
    with pytest.raises(ValueError):
        config.dump_config.dump_step = "0ad"
