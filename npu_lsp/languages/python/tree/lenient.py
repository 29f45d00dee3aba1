"""Makes a statement readable that this version of Python doesn't take: odd blanks and signs, Python 2.

What comes out is as long as what went in, so that every place stays what it is. Texts and comments stay untouched.
"""

from __future__ import annotations

from npu_lsp.text import lazy_re as re

# A text that nobody closes goes on to the end, so that each character is looked at once.
_TOKEN = re.compile(
    r"""(?P<text>(?P<prefix>[A-Za-z]{0,2})(?:\"\"\"[\s\S]*?(?:\"\"\"|\Z)|'''[\s\S]*?(?:'''|\Z)"""
    r"""|\"[^"\\\n\r]*(?:\\[\s\S][^"\\\n\r]*)*\"?|'[^'\\\n\r]*(?:\\[\s\S][^'\\\n\r]*)*'?))"""
    r"""|(?P<comment>\#[^\n\r]*)"""
    r"""|(?P<number>(?<![\w.])\d\w*)"""
    r"""|(?P<verb>(?<![\w.])(?:print|exec)[ \t](?=[ \t]{0,9}[\w"'\[{(]))"""
    r"""|(?P<word>[^\W\d]\w*)"""
    r"""|(?P<unequal><>)|(?P<quoted>`[^`\n\r]*`?)"""
)
_SIGNS = {
    ord(odd): plain
    for plain, all_odd in {
        " ": "\v\x00\x1a\x1c\x1d\x1e\x1f\xa0\u1680\u180e\u200b\u200c\u200d\u2060\u202f\u205f\u3000\ufeff"
        + "".join(chr(c) for c in range(0x2000, 0x200B)),
        # The lines of some editors end there, those of Python do not.
        ";": "\x85\u2028\u2029\uff1b",
        ",": "\uff0c",
        "(": "\uff08",
        ")": "\uff09",
        ":": "\uff1a",
        "=": "\uff1d",
    }.items()
    for odd in all_odd
}
_OCTAL = re.compile(r"0[0-7]+[lL]?\Z")
_LONG = re.compile(r"(?:0[xX][0-9a-fA-F]+|\d+)[lL]\Z")


def mended(code: str) -> str | None:
    """Return a statement that says the same as far as it can be said, or `None` where nothing is to be done."""
    pieces: list[str] = []
    done = 0
    for token in _TOKEN.finditer(code):
        pieces.append(code[done : token.start()].translate(_SIGNS))
        pieces.append(_taken(token))
        done = token.end()
    pieces.append(code[done:].translate(_SIGNS))
    found = "".join(pieces)
    if found.endswith("\\"):
        # The next line isn't there yet.
        found = found[:-1] + " "
    return found if found != code else None


def _taken(token: re.Match[str]) -> str:
    """Return what Python 3 takes in the place of a token."""
    said = token.group()
    if token["text"] is not None:
        return " " + said[1:] if token["prefix"].lower() == "ur" else said
    if token["number"] is not None:
        if _OCTAL.match(said) and said.strip("0lL"):
            # It isn't worth what its digits say: better a name, which is worth nothing.
            return "_" + said[1:]
        return said[:-1] + " " if _LONG.match(said) else said
    if token["verb"] is not None:
        return said[:-1] + ","
    if token["unequal"] is not None:
        return "!="
    closed = token["quoted"] is not None and len(said) > 1 and said.endswith("`")
    return f"({said[1:-1]})" if closed else said
