"""`npu-lsp completion`: prints a script with which a shell completes npu-lsp's commands and options."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence

from npu_lsp.commands.main import command_names, command_parser, command_summary
from npu_lsp.commands.output import write_out
from npu_lsp.rules import all_rules

_EPILOG = """\
examples:
  npu-lsp completion bash > ~/.local/share/bash-completion/completions/npu-lsp
  npu-lsp completion zsh > ~/.zfunc/_npu-lsp        with ~/.zfunc in fpath before compinit
  npu-lsp completion fish > ~/.config/fish/completions/npu-lsp.fish
"""

_TAKE_RULES = ("rule", "select", "extend_select", "ignore")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.description = "Prints a script with which your shell completes the commands and options of npu-lsp."
    parser.epilog = _EPILOG
    parser.add_argument("shell", choices=tuple(_SHELLS), help="the shell that reads the script")


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    write_out([f"{line}\n" for line in _SHELLS[arguments.shell]()])
    return 0


def _options(command: str) -> Iterator[tuple[Sequence[str], argparse.Action]]:
    """Yield the options of a command, each with all its spellings."""
    for action in command_parser(command)._actions:  # noqa: SLF001 - argparse has no public list
        if action.option_strings and action.help is not argparse.SUPPRESS:
            yield action.option_strings, action


def _words(command: str) -> list[str]:
    """Return the fixed words that a command takes besides options and paths."""
    found: list[str] = []
    for action in command_parser(command)._actions:  # noqa: SLF001 - argparse has no public list
        if not action.option_strings:
            found += _choices(action)
    return found


def _choices(action: argparse.Action) -> list[str]:
    """Return the words that an argument takes, as far as they are known."""
    if action.choices:
        return [str(choice) for choice in action.choices]
    return [rule.code for rule in all_rules()] if action.dest in _TAKE_RULES else []


def _takes_value(action: argparse.Action) -> bool:
    return action.nargs != 0


def _bash() -> Iterator[str]:
    yield "# bash completion for npu-lsp"
    yield "_npu_lsp() {"
    yield '    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" words=""'
    # bash takes `--option=value` for three words.
    yield '    if [[ $cur == = ]]; then cur=""; elif [[ $prev == = ]]; then prev="${COMP_WORDS[COMP_CWORD-2]}"; fi'
    yield "    if [[ $COMP_CWORD -eq 1 ]]; then"
    yield f'        COMPREPLY=($(compgen -W "{" ".join(command_names())} --help --version" -- "$cur"))'
    yield "        return"
    yield "    fi"
    yield '    case "${COMP_WORDS[1]}:$prev" in'
    for command in command_names():
        for names, action in _options(command):
            if choices := " ".join(_choices(action)):
                pattern = "|".join(f"{command}:{name}" for name in names)
                yield f'        {pattern}) COMPREPLY=($(compgen -W "{choices}" -- "$cur")); return ;;'
            elif _takes_value(action):
                pattern = "|".join(f"{command}:{name}" for name in names)
                yield f'        {pattern}) COMPREPLY=($(compgen -f -- "$cur")); return ;;'
    yield "    esac"
    yield '    case "${COMP_WORDS[1]}" in'
    for command in command_names():
        spellings = [name for names, _ in _options(command) for name in names]
        yield f'        {command}) words="{" ".join([*_words(command), *spellings])}" ;;'
    yield "    esac"
    yield '    COMPREPLY=($(compgen -W "$words" -- "$cur") $(compgen -f -- "$cur"))'
    yield "}"
    yield "complete -o filenames -F _npu_lsp npu-lsp"


def _zsh() -> Iterator[str]:
    yield "#compdef npu-lsp"
    yield "_npu_lsp() {"
    yield "  local -a commands"
    yield "  commands=("
    for command in command_names():
        yield f"    {_quoted(f'{command}:{command_summary(command)}')}"
    yield "  )"
    yield "  if (( CURRENT == 2 )); then _describe command commands; return; fi"
    yield "  case $words[2] in"
    for command in command_names():
        yield f"    {command})"
        yield "      _arguments \\"
        yield "        '1: :' \\"
        for names, action in _options(command):
            for name in names:
                yield f"        {_quoted(_zsh_option(name, action))} \\"
        words = _words(command)
        what = f"({' '.join(words)})" if words else "_files"
        yield f"        {_quoted(f'*: :{what}')} ;;"
    yield "  esac"
    yield "}"
    yield 'if [ "$funcstack[1]" = "_npu-lsp" ]; then _npu_lsp "$@"; else compdef _npu_lsp npu-lsp; fi'


def _zsh_option(name: str, action: argparse.Action) -> str:
    about = _about(action).replace("[", "(").replace("]", ")").replace(":", r"\:")
    if not _takes_value(action):
        return f"*{name}[{about}]"
    # The sign tells that the value may follow it as well as a blank.
    text = f"*{name}{'=' if name.startswith('--') else ''}[{about}]"
    choices = _choices(action)
    return f"{text}: :({' '.join(choices)})" if choices else f"{text}: :_files"


def _fish() -> Iterator[str]:
    yield "# fish completion for npu-lsp"
    for command in command_names():
        about = _quoted(command_summary(command))
        yield f"complete -c npu-lsp -n __fish_use_subcommand -f -a {command} -d {about}"
    for command in command_names():
        when = f"-n '__fish_seen_subcommand_from {command}'"
        words = _words(command)
        if words:
            yield f"complete -c npu-lsp {when} -f -a {_quoted(' '.join(words))}"
        for names, action in _options(command):
            flags = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in names)
            line = f"complete -c npu-lsp {when} {flags} -d {_quoted(_about(action))}"
            if choices := _choices(action):
                line += f" -x -a {_quoted(' '.join(choices))}"
            elif _takes_value(action):
                line += " -r"
            yield line


def _about(action: argparse.Action) -> str:
    return " ".join((action.help or "").replace("%%", "%").split())


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


_SHELLS: dict[str, Callable[[], Iterator[str]]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
