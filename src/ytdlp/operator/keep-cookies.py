"""
A plugin of ours that yt-dlp loads in runs with cookies or with headers of the operator; `with-operator.ts` writes it into the folder of the
run. yt-dlp gives some streams to ffmpeg, with cookies and headers as arguments, which every user of the machine can read. The plugin refuses
such a stream, and `error-table.ts` knows its words. It also notes the cookies that sites set, so that `with-operator.ts` can hide them.
"""
import os
import re

try:
    from yt_dlp.cookies import YoutubeDLCookieJar
    from yt_dlp.dependencies import Cryptodome
    from yt_dlp.downloader.external import FFmpegFD
    from yt_dlp.utils import DownloadError

    give_to_ffmpeg = FFmpegFD._call_downloader
    set_cookie = YoutubeDLCookieJar.set_cookie
except Exception as cause:
    # yt-dlp goes on without a plugin that it cannot load, but not after this.
    raise SystemExit(f'ERROR: This yt-dlp cannot keep cookies out of arguments: {cause}') from cause

# Names of headers, as yt-dlp sends them to any site.
PLAIN = {
    *('accept', 'accept-charset', 'accept-encoding', 'accept-language'),
    *('origin', 'referer', 'sec-fetch-mode', 'user-agent', 'x-forwarded-for'),
}


def has_secret(ydl, info, part):
    url = part['url']
    if not url.startswith(('http://', 'https://')):
        return False
    headers = part.get('http_headers') or info.get('http_headers') or {}
    # Versions without this function put cookies among the headers.
    cookies_for = getattr(ydl.cookiejar, 'get_cookies_for_url', lambda _: [])
    return bool(cookies_for(url)) or any(name.lower() not in PLAIN for name in headers)


def keep(self, tmpfilename, info_dict):
    parts = info_dict.get('requested_formats') or [info_dict]
    if not any(has_secret(self.ydl, info_dict, part) for part in parts):
        return give_to_ffmpeg(self, tmpfilename, info_dict)
    lack = '' if Cryptodome.AES else ', and pycryptodomex is missing'
    raise DownloadError(f'ffmpeg would get cookies or headers of this stream as arguments{lack}')


HOME = os.environ['HOME']
SET = open(os.path.join(HOME, 'set-cookies.txt'), 'a', buffering=1, encoding='utf-8', errors='replace')
# Sites set a few hundred bytes. Each line of yt-dlp is compared with them, so a site must not set without end.
MOST_BYTES = 65536
try:
    with open(os.path.join(HOME, 'cookies.txt'), encoding='utf-8') as given:
        known = set(re.split('[\\t\\r\\n]', given.read()))
except OSError:
    known = set()


def note(self, cookie):
    value = cookie.value or ''
    if value not in known and SET.tell() + len(value) < MOST_BYTES:
        known.add(value)
        SET.write(f'{value}\n')
    set_cookie(self, cookie)


FFmpegFD._call_downloader = keep
YoutubeDLCookieJar.set_cookie = note
