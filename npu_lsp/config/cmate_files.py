"""Which of our surfaces the files are that msprechecker's presets speak of.

Source: https://github.com/Ascend/msit, msprechecker/msprechecker/presets/mindie.cmate.
"""

from __future__ import annotations

from collections.abc import Mapping

from npu_lsp.catalog.surfaces import Surface

SURFACES: Mapping[str, Surface] = {
    "env": Surface.ENV,
    "mies_config": Surface.MINDIE,
    "ms_config": Surface.MINDIE,
    "ms_controller": Surface.MS_CONTROLLER,
    "ms_coordinator": Surface.MS_COORDINATOR,
    "user_config": Surface.MINDIE_DEPLOY,
    "mindie_env": Surface.ENV,
}
"""The surfaces of the files that the presets of msprechecker name."""
PARTS: Mapping[str, Surface] = {
    "deploy_config": Surface.MINDIE_DEPLOY,
    "mindie_server_prefill_config": Surface.MINDIE,
    "mindie_server_decode_config": Surface.MINDIE,
    "mindie_ms_controller_config": Surface.MS_CONTROLLER,
    "mindie_ms_coordinator_config": Surface.MS_COORDINATOR,
    **dict.fromkeys(
        (
            "mindie_common_env",
            "mindie_ms_controller_env",
            "mindie_ms_coordinator_env",
            "mindie_server_prefill_env",
            "mindie_server_decode_env",
        ),
        Surface.ENV,
    ),
}
"""Those of the parts of `user_config.json` and `mindie_env.json`."""
