"""`npu-lsp clean`: removes the caches of a tree."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator

from npu_lsp.checking import stderr
from npu_lsp.checking.cache import FOLDER
from npu_lsp.checking.cache_folder import RefusedError, remove
from npu_lsp.commands.arguments import add_configuration, discovery
from npu_lsp.commands.language import chosen, told
from npu_lsp.commands.output import write_out
from npu_lsp.text.bilingual import Text
from npu_lsp.text.terminal import shown

_NO_FOLDER = Text(en="{path}: there is no folder of that name", zh="{path}：没有该目录")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = told(
        "Removes what `npu-lsp check` remembers from run to run: the cache of a folder's configuration, and the caches\n"
        "below the folder. A folder that holds anything else is left as it is.",
        "清除 `npu-lsp check` 在多次运行之间保存的缓存：目录所用配置的缓存，以及该目录下的所有缓存。\n含有其他文件的目录保持原样。",
    )
    about = told("folders; default: .", "目录；默认为 .")
    parser.add_argument("paths", nargs="*", metavar="PATH", default=["."], help=about)
    cache = told("default: .npu-lsp-cache beside the configuration", "默认为配置文件所在目录下的 .npu-lsp-cache")
    parser.add_argument("--cache-dir", metavar="DIR", help=cache)
    add_configuration(parser)


def run(arguments: argparse.Namespace) -> int:
    """Remove the caches and name them; 2 where one can't be removed, and for a folder that isn't there."""
    more = {"cache-dir": arguments.cache_dir or os.environ.get("NPU_LSP_CACHE_DIR")}
    code = 0
    found = discovery(arguments, more)
    for path in arguments.paths:
        absolute = os.path.abspath(path)
        if not os.path.isdir(absolute):
            stderr.wrong(_NO_FOLDER, path=path)
            code = 2
            continue
        config = found.config_for(absolute)
        root = os.fspath(config.root) if config.root is not None else absolute
        own = os.path.abspath(config.cache_dir if config.cache_dir is not None else os.path.join(root, FOLDER))
        for folder, its_root in {own: root, **dict.fromkeys(_below(absolute), absolute)}.items():
            code = max(code, _remove(folder, its_root))
    return code


def _remove(folder: str, root: str) -> int:
    try:
        if remove(folder, root):
            write_out([told(f"removed {shown(folder)}\n", f"已删除 {shown(folder)}\n")])
    except RefusedError as error:
        stderr.tell(f"npu-lsp: {error.told.to(chosen())}")
        return 2
    except OSError as error:
        stderr.tell(f"npu-lsp: {stderr.told(error)}")
        return 2
    return 0


def _below(folder: str) -> Iterator[str]:
    """Yield the caches below a folder; links are not followed."""
    for at, names, _ in os.walk(folder):
        if FOLDER in names:
            names.remove(FOLDER)
            yield os.path.join(at, FOLDER)
