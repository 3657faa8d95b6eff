"""Prints, as JSON, what the extractors of the yt-dlp on sys.argv[1] say when a video cannot be had: [text, kind of call] of each."""
import ast
import json
import sys
from importlib.resources import files

# What yt-dlp adds: https://github.com/yt-dlp/yt-dlp/blob/master/yt_dlp/extractor/common.py and YoutubeDL.py
ADDED = {
    'raise_login_required': '. Use --cookies, --username and --password or --netrc to provide account credentials',
    'raise_geo_restricted': '\nYou might want to use a VPN or a proxy server (with --proxy) to workaround.',
    'GeoRestrictedError': '\nYou might want to use a VPN or a proxy server (with --proxy) to workaround.',
    'ExtractorError': '; please report this issue on  https://github.com/yt-dlp/yt-dlp/issues , filling out the template',
    'raise_no_formats': '; please report this issue on  https://github.com/yt-dlp/yt-dlp/issues , filling out the template',
    'report_warning': '',
}


def sources(folder):
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from sources(entry)
        elif entry.name.endswith('.py') and entry.name != 'lazy_extractors.py':
            yield entry.read_text('utf-8')


def texts(node, named):
    """Every text that an expression may give; a value that is put into it is X. `named`: the texts of each variable."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.JoinedStr(values=parts):
            yield ''.join(part.value if isinstance(part, ast.Constant) else 'X' for part in parts)
        case ast.BinOp(left=left, op=ast.Mod()):
            yield from texts(left, named)
        case ast.BinOp(left=left, right=right):
            yield next(texts(left, named), 'X') + next(texts(right, named), 'X')
        case ast.Call(func=ast.Attribute(value=value, attr='format')):
            yield from texts(value, named)
        case ast.Call(func=ast.Attribute(attr='get'), args=[_, default]):
            yield from texts(default, named)
        case ast.BoolOp(values=values):
            for value in values:
                yield from texts(value, named)
        case ast.IfExp(body=body, orelse=other):
            yield from texts(body, named)
            yield from texts(other, named)
        case ast.Name(id=name):
            yield from named.get(name, ())


def said(function):
    nodes = list(ast.walk(function))
    named = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            named.setdefault(node.targets[0].id, []).extend(texts(node.value, {}))
    for call in nodes:
        if isinstance(call, ast.Call):
            kind = getattr(call.func, 'attr', getattr(call.func, 'id', None))
            if kind in ADDED:
                words = {keyword.arg: keyword.value for keyword in call.keywords}
                is_expected = getattr(words.get('expected'), 'value', False) is True
                added = '' if is_expected else ADDED[kind]
                for node in [*call.args[:1], *(words[name] for name in ('msg', 'reason') if name in words)]:
                    yield from ((text + added, kind) for text in texts(node, named))


sys.path.insert(0, sys.argv[1])
found = {}
for source in sources(files('yt_dlp') / 'extractor'):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef):
            found.update(said(node))
print(json.dumps([[text, kind] for text, kind in found.items() if len(text) > 5]))
