"""Another name for a variable of a script that settings are made of. What others may know by its name keeps it."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from npu_lsp.languages.variable_names import is_variable
from npu_lsp.languages.variables import VariableMention, mentions, variable_at
from npu_lsp.lsp.features.edits import has_place, let_through, workspace_edit
from npu_lsp.lsp.features.subject import makes_settings
from npu_lsp.lsp.session import DocumentView
from npu_lsp.text import lazy_re as re
from npu_lsp.text.bilingual import Text
from npu_lsp.text.kinds import Kind
from npu_lsp.text.spans import Edit

_REFUSED = -32803
"""The protocol's code for a request that can't be done, though it is well formed."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OF_OTHERS = frozenset({"PATH", "HOME", "USER", "SHELL", "PWD", "LD_LIBRARY_PATH", "PYTHONPATH", "IFS", "LANG"})
"""Variables that mean something to every program."""
_NONE = Text("Only variables of a script that settings are made of can be renamed.", "只能重命名脚本中用于配置的变量。")
_KNOWN = Text("{name} means something to other programs.", "{name} 由其他程序使用，不能重命名。")
_EXPORTED = Text("{name} is exported: other programs may read it.", "{name} 已导出，其他程序可能读取，不能重命名。")
_HIDDEN = Text(
    "Line {line} uses {name} in a way that can't be followed.", "第 {line} 行以无法跟踪的方式使用 {name}，不能重命名。"
)
_WRONG = Text("{name} is no name of a variable.", "{name} 不是合法的变量名。")
_TAKEN = Text("There is a variable {name} already.", "变量 {name} 已存在。")


def prepare(view: DocumentView, params: types.PrepareRenameParams) -> types.PrepareRenamePlaceholder:
    """Answer which name would be changed; raise `JsonRpcException` where none can be, with the reason."""
    found = _renamed(view, params.position)
    return types.PrepareRenamePlaceholder(view.source.range(found.span), found.name)


def rename(view: DocumentView, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """Answer the edits; raise `JsonRpcException` where a name can't be changed, or the new one is none or taken."""
    found, new = _renamed(view, params.position), params.new_name
    if not _NAME.fullmatch(new):
        raise _refused(view, _WRONG, name=new)
    if new != found.name and (mentions(view.document, new) or is_variable(new)):
        raise _refused(view, _TAKEN, name=new)
    edits = [Edit(each.span, new) for each in mentions(view.document, found.name)]
    return workspace_edit(view, let_through(view, edits)) if has_place(view, edits) else None


def _renamed(view: DocumentView, position: types.Position) -> VariableMention:
    found = variable_at(view.document, view.source.offset(position))
    if found is None or view.document.kind is not Kind.SHELL or not makes_settings(view, found.name):
        raise _refused(view, _NONE)
    if is_variable(found.name) or found.name in _OF_OTHERS:
        raise _refused(view, _KNOWN, name=found.name)
    from npu_lsp.languages.shell.names import hidden_use

    all_ = mentions(view.document, found.name)
    if any(_is_exported(view, each) for each in all_):
        raise _refused(view, _EXPORTED, name=found.name)
    hidden = hidden_use(view.document, found.name, [each.span for each in all_])
    if hidden is not None:
        raise _refused(view, _HIDDEN, name=found.name, line=view.document.line_of(hidden.start) + 1)
    return found


def _is_exported(view: DocumentView, mention: VariableMention) -> bool:
    from npu_lsp.languages.shell.names import is_exported

    return is_exported(view.document, mention.span)


def _refused(view: DocumentView, said: Text, **parts: object) -> JsonRpcException:
    return JsonRpcException(said.to(view.language).format(**parts), _REFUSED)
