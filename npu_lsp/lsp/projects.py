"""Which configuration holds for which document, and what is kept for all documents under one."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from npu_lsp.config.errors import NOT_SHOWN, ConfigError, ConfigProblem, is_hidden
from npu_lsp.linter.configuration import KEY_NAMES, Config
from npu_lsp.lsp.project import Project
from npu_lsp.text.bilingual import Language
from npu_lsp.text.dependencies import Fingerprint, look

if TYPE_CHECKING:
    from npu_lsp.config.discover import Discovery

_log = logging.getLogger(__name__)

_DROPPED: tuple[Any, ...] = (None, "", [], {})
"""What editors send for a setting that nobody has set."""


class Workspace(NamedTuple):
    """A folder that the client works in."""

    folder: Path
    settings: Mapping[str, Any] = {}
    """What the client has set there; a project's own file has the stronger word."""

    def __hash__(self) -> int:
        return hash(self.folder)


class Projects:
    """Finds the project of a document. Configuration files are read once, until `forget`."""

    def __init__(self) -> None:
        self.workspaces: tuple[Workspace, ...] = ()
        """Documents that have no file count as lying in the first one."""
        self.elsewhere = Workspace(_here())
        """What holds for files outside of all of them."""
        self.language: Language = "en"
        """The client's."""
        self.problems: dict[Path | str, tuple[ConfigProblem, ...]] = {}
        """What is wrong with configurations, by source."""
        self.on_problem: Callable[[], None] = lambda: None
        """Called when there is one more."""
        self._discoveries: dict[Workspace, Discovery] = {}
        self._by_folder: dict[str, Project] = {}
        self._by_config: dict[tuple[Workspace, Path | None], Project] = {}
        self._stamps: dict[Path, Fingerprint] = {}
        self._count = 0

    def find(self, path: str) -> Project:
        """Return the project of the file at `path`; without a path, of the client's first folder."""
        folder = os.path.dirname(path) if path else self._first  # noqa: PTH120 - runs for each request
        found = self._by_folder.get(folder)
        if found is None:
            found = self._by_folder[folder] = self._made(folder)
        return found

    def numbered(self, number: object) -> Project | None:
        """Return the project with that number, unless it has been forgotten."""
        return next((project for project in self._by_config.values() if project.number == number), None)

    def forget(self) -> None:
        """Read configurations and the files that they name anew from now on."""
        self._discoveries.clear()
        self._by_folder.clear()
        self._by_config.clear()
        self._stamps.clear()
        self.problems.clear()

    def changed(self) -> bool:
        """Return whether configurations are not what they were: other words in them, or one more, or one less."""
        if any(look(path) != stamp for path, stamp in self._stamps.items()):
            return True
        known, self._discoveries = self._discoveries, {}
        try:
            return any(
                self._config(self._workspace(folder), folder) != project.wanted
                for folder, project in self._by_folder.items()
            )
        finally:
            self._discoveries = known

    def concerns(self, path: str) -> bool:
        """Return whether the file at `path` is a configuration, or a part of the catalog that one names."""
        from npu_lsp.config.discover import NAMES

        file = Path(path)
        return file.name in NAMES or file in self._stamps

    def told(self, path: str, name: str) -> Any:
        """Return the client's setting `name`, dotted as `inlayHints.origins`, for the file at `path`; `None` where it has set none."""
        folder = os.path.dirname(path) if path else self._first  # noqa: PTH120 - runs for each request
        found: Any = self._workspace(folder).settings
        for part in name.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
        return found

    def root_of(self, path: str) -> str:
        """Return the folder of the client that holds the file at `path`; that of the file, where none does."""
        folder = os.path.dirname(path)  # noqa: PTH120 - as `find` has it
        root = os.fspath(self._workspace(folder).folder)
        return root if Path(folder).is_relative_to(root) and self.workspaces else folder

    def set_for(self, path: str) -> Config:
        """Return what the client's settings alone say for the file at `path`."""
        return self._base(self._workspace(os.path.dirname(path) if path else self._first))  # noqa: PTH120 - as `find` has it

    @property
    def _first(self) -> str:
        return os.fspath((self.workspaces or (self.elsewhere,))[0].folder)

    def _workspace(self, folder: str) -> Workspace:
        """Return the innermost one that holds `folder`."""
        path = Path(folder)
        holding = [each for each in self.workspaces if path.is_relative_to(each.folder)]
        return max(holding, key=lambda each: len(each.folder.parts), default=self.elsewhere)

    def _made(self, folder: str) -> Project:
        workspace = self._workspace(folder)
        config = self._config(workspace, folder)
        project = self._by_config.get((workspace, config.path))
        if project is None:
            language = self.language if config.language == "auto" else config.language
            project = self._usable(self._project(config, language))
            self._by_config[workspace, config.path] = project
            for path in (config.path, *config.catalog):
                if path is not None:
                    self._stamps[path] = look(path)
        return project

    def discovery(self, workspace: Workspace) -> Discovery:
        """Return what finds the configurations in a folder of the client; a new one, for whoever goes through it."""
        from npu_lsp.config.discover import Discovery

        return Discovery(base=self._base(workspace), here=workspace.folder)

    def _config(self, workspace: Workspace, folder: str) -> Config:
        discovery = self._discoveries.get(workspace)
        if discovery is None:
            discovery = self._discoveries[workspace] = self.discovery(workspace)
        try:
            return discovery.config_for(folder)
        except ConfigError as error:
            self._complain(error)
            return self._base(workspace)

    def _base(self, workspace: Workspace) -> Config:
        table = _plain(workspace.settings)
        if not table:
            return Config()
        from npu_lsp.config.apply import applied
        from npu_lsp.config.keys import FORM

        wrong = {problem.at.split(".")[0].split("[")[0]: problem for problem in FORM.problems(table, "")}
        if wrong:
            origin = "editor settings"
            problems = [ConfigProblem(origin, None, p.placed, p.suggestion) for p in wrong.values()]
            self._complain(ConfigError(problems))
            table = {name: value for name, value in table.items() if name not in wrong}
        return applied(Config(), table, folder=workspace.folder, origin=lambda _: "editor settings")

    def _usable(self, project: Project) -> Project:
        """Return `project`, without its additions to the catalog when these are broken."""
        if not project.config.catalog:
            return project
        from npu_lsp.catalog.errors import CatalogError

        try:
            _ = project.analyzer.catalog
        except CatalogError as error:
            source = project.config.path or "editor settings"
            said = NOT_SHOWN if is_hidden(error.path, project.config.root) else f"catalog: {error}"
            self._complain(ConfigError([ConfigProblem(source, None, said)]))
            usable = self._project(project.config._replace(catalog=()), project.language)
            usable.wanted = project.config
            return usable
        return project

    def _project(self, config: Config, language: Language) -> Project:
        self._count += 1
        from npu_lsp.catalog import toolkit

        return Project(self._count, config, language, toolkit.find())

    def _complain(self, error: ConfigError) -> None:
        for problem in error.problems:
            known = self.problems.get(problem.source, ())
            if problem not in known:
                self.problems[problem.source] = (*known, problem)
                _log.error("%s", problem)
                self.on_problem()


def _here() -> Path:
    try:
        return Path.cwd()
    except OSError:  # it was removed
        return Path(os.sep)


def _plain(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return a client's settings with the names of configuration files, without what isn't meant for them."""
    found: dict[str, Any] = {}
    for name, value in settings.items():
        kebab = "".join(f"-{char.lower()}" if char.isupper() else char for char in name).replace("_", "-")
        if isinstance(value, dict):
            value = {inner: each for inner, each in value.items() if each not in _DROPPED}
        usual = Config._field_defaults.get(kebab.replace("-", "_"))
        # Editors send every word that they show, also those that nobody has changed.
        if kebab in KEY_NAMES and value not in _DROPPED and not (isinstance(value, str) and value == usual):
            found[kebab] = value
    return found
