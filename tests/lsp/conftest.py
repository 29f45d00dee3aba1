"""Servers as a client has them: a process each, over stdio, that needn't be loaded anew."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.streams import FlowControlMixin
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.client import JsonRPCClient
from pygls.io_ import run_async
from pytest_lsp import ClientServerConfig, LanguageClient
from pytest_lsp.client import register_lsp_features

from tests import forks
from tests.lsp.editor import CLIENTS, Editor, converter, initialize_params
from tests.lsp.wire import RULES
from tests.patience import PATIENCE


def client() -> LanguageClient:
    """Return a client that also takes registrations, as real ones do."""
    made = LanguageClient(converter_factory=converter)
    register_lsp_features(made)

    @made.feature(types.CLIENT_REGISTER_CAPABILITY)
    def register(params: types.RegistrationParams) -> None:
        registrations.setdefault(id(made), []).extend(params.registrations)

    return made


class Server(ClientServerConfig):
    """Starts a server as `tests.forks` does, where that is possible: what is asked of it and how it ends is the same."""

    async def start(self, devtools: str | None = None) -> JsonRPCClient:
        """Return a client that speaks with it."""
        if devtools is not None or not forks.possible(os.environ):
            return await super().start(devtools)
        made = self.client_factory()
        process = forks.Process(["serve"], Path.cwd(), os.environ)
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader()
        of, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), process.stdout)
        to, flow = await loop.connect_write_pipe(FlowControlMixin, process.stdin)
        made.protocol.set_writer(asyncio.StreamWriter(to, flow, None, loop))

        async def until_it_ends() -> None:
            await run_async(stop_event=made._stop_event, reader=reader, protocol=made.protocol)
            # The loop lets go of a pipe before that is closed: its number is that of the next one soon.
            to.close()
            of.close()
            await asyncio.to_thread(process.wait, PATIENCE)
            process.close()

        made._async_tasks.append(asyncio.create_task(until_it_ends()))
        return made


SERVER = Server(server_command=[sys.executable, "-m", "npu_lsp", "serve"], client_factory=client)
FEATURES = {
    "test_code_actions",
    "test_completion",
    "test_diagnostics",
    "test_hover",
    "test_navigation",
    "test_notebooks",
}
DIFFERENT = ["emacs", "vscode pulling", "neovim"]
registrations: dict[int, list[types.Registration]] = {}
_editors: dict[int, Editor] = {}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Take an answer that its client can't read for what it is: a mistake."""
    for item in items:
        item.add_marker(pytest.mark.filterwarnings("error::pytest_lsp.checks.LspSpecificationWarning"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run the tests of features with every client, the others with the three that differ most."""
    if "_session" in metafunc.fixturenames:
        module = metafunc.module.__name__.rpartition(".")[2]
        clients = list(CLIENTS) if module in FEATURES else DIFFERENT
        if module == "test_notebooks":
            clients = [*clients, "vscode"]
        metafunc.parametrize("_session", clients, indirect=True, scope="module")


@pytest_lsp.fixture(config=SERVER, scope="module")
async def _session(
    request: pytest.FixtureRequest, lsp_client: LanguageClient, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[None]:
    folder = tmp_path_factory.mktemp("workspace")
    workspace = [types.WorkspaceFolder(uri=folder.as_uri(), name="workspace")]
    params = initialize_params(request.param, workspace_folders=workspace)
    rules = ["ALL"] if request.module.__name__.endswith("test_every_surface") else list(RULES)
    params.initialization_options = {**(params.initialization_options or {}), "select": rules}
    result = await lsp_client.initialize_session(params)
    encoding = result.capabilities.position_encoding or "utf-16"
    _editors[id(lsp_client)] = Editor(lsp_client, result, request.param, folder, getattr(encoding, "value", encoding))
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def editor(_session: LanguageClient) -> Editor:
    """Return a client of each kind in turn, one server for each test module."""
    return _editors[id(_session)]
