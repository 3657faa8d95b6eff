/** The options of YTDLP_CONFIG that are passed on, and those that are refused. */
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { type OperatorOption, optionsIn } from '../../../src/ytdlp/operator/options.ts'
import { toolsForTests } from '../../support/process/tools.ts'

const one = (name: string, value?: string): OperatorOption[] => [value === undefined ? { name } : { name, value }]

it.each([
  ['', []],
  ['# --exec id\n', []],
  ['-r 1M', one('--limit-rate', '1M')],
  ['-r1M', one('--limit-rate', '1M')],
  ['--limit-rate=500K', one('--limit-rate', '500K')],
  ['--limit-rate "4.2M" # night', one('--limit-rate', '4.2M')],
  ['--rate-limit 50k', one('--limit-rate', '50k')],
  ['-r 16384', one('--limit-rate', '16384')],
  ['--throttled-rate 100K', one('--throttled-rate', '100K')],
  ['-R 10', one('--retries', '10')],
  ['-Rinfinite', one('--retries', 'infinite')],
  ['--fragment-retries=inf', one('--fragment-retries', 'inf')],
  [
    '--extractor-retries 3 --file-access-retries 2',
    [...one('--extractor-retries', '3'), ...one('--file-access-retries', '2')],
  ],
  [
    '--retry-sleep 5\n--retry-sleep fragment:exp=1:20',
    [...one('--retry-sleep', '5'), ...one('--retry-sleep', 'fragment:exp=1:20')],
  ],
  ['--retry-sleep linear=1::2', one('--retry-sleep', 'linear=1::2')],
  ['--socket-timeout 30', one('--socket-timeout', '30')],
  ['--sleep-requests 0.75', one('--sleep-requests', '0.75')],
  [
    '--min-sleep-interval 5 --max-sleep-interval 9',
    [...one('--sleep-interval', '5'), ...one('--max-sleep-interval', '9')],
  ],
  ['--sleep-subtitles 2', one('--sleep-subtitles', '2')],
  ['-N 4', one('--concurrent-fragments', '4')],
  ['--http-chunk-size 10M', one('--http-chunk-size', '10M')],
  [
    `--extractor-args "youtube:player_client=tv,mweb;po_token=web.gvs+AbC=="`,
    one('--extractor-args', 'youtube:player_client=tv,mweb;po_token=web.gvs+AbC=='),
  ],
  [
    `--extractor-args 'youtubepot-bgutilhttp:base_url=http://bgutil:4416'`,
    one('--extractor-args', 'youtubepot-bgutilhttp:base_url=http://bgutil:4416'),
  ],
  [`--user-agent 'Mozilla/5.0 (X11; "x")'`, one('--user-agent', 'Mozilla/5.0 (X11; "x")')],
  ['--referer https://example.org/', one('--referer', 'https://example.org/')],
  ['--add-headers Accept-Language:de', one('--add-headers', 'Accept-Language:de')],
  ['--impersonate chrome-131:macos-14', one('--impersonate', 'chrome-131:macos-14')],
  ['--xff DE', one('--xff', 'DE')],
  ['--geo-bypass --geo-bypass-country de', [...one('--geo-bypass'), ...one('--geo-bypass-country', 'de')]],
  ['--check-formats\n--no-check-formats', [...one('--check-formats'), ...one('--no-check-formats')]],
  ['\ufeff--cookies "my cookies.txt"\r\n', one('--cookies', 'my cookies.txt')],
])('passes on %j', (text, options) => {
  expect(optionsIn(text)).toEqual(options)
})

describe('refuses', () => {
  it.each([
    ['--exec "rm -rf /"', '--exec'],
    ['--exec=id', '--exec'],
    ['--exec-before-download id', '--exec-before-download'],
    ['--netrc-cmd id', '--netrc-cmd'],
    ['--downloader aria2c', '--downloader'],
    ['--external-downloader-args -x16', '--external-downloader-args'],
    ['--ppa "ffmpeg:-i /etc/passwd"', '--ppa'],
    ['--use-postprocessor Exec', '--use-postprocessor'],
    ['--alias a "-r {0}"', '--alias'],
    ['-t sleep', '-t'],
    ['--proxy http://me:secret@p:1', '--proxy'],
    ['--proxy=', '--proxy'],
    ['--geo-verification-proxy http://p', '--geo-verification-proxy'],
    ['--config-locations /etc', '--config-locations'],
    ['--no-config', '--no-config'],
    ['--plugin-dirs /x', '--plugin-dirs'],
    ['--ffmpeg-location /x', '--ffmpeg-location'],
    ['-f best', '-f'],
    ['-S res:720', '-S'],
    ['-x', '-x'],
    ['--merge-output-format=mkv', '--merge-output-format'],
    ['-o /tmp/x', '-o'],
    ['-o/tmp/x', '-o'],
    ['-P /tmp', '-P'],
    ['-a list.txt', '-a'],
    ['--write-info-json', '--write-info-json'],
    ['--print-to-file x y', '--print-to-file'],
    ['--cache-dir /x', '--cache-dir'],
    ['--enable-file-urls', '--enable-file-urls'],
    ['--no-check-certificates', '--no-check-certificates'],
    ['--cookies-from-browser firefox', '--cookies-from-browser'],
    ['-u me -p secret', '-u'],
    ['--password=secret', '--password'],
    ['-n', '-n'],
    ['-4r 1M', '-4'],
    ['--force-ipv6', '--force-ipv6'],
    ['-U', '-U'],
    ['-v', '-v'],
    ['--live-from-start', '--live-from-start'],
    ['--compat-options all', '--compat-options'],
    // Beginnings of names, which yt-dlp would complete.
    ['--exe id', '--exe'],
    ['--limit 1M', '--limit'],
    ['--retrie 3', '--retrie'],
    ['--LIMIT-RATE 1M', '--LIMIT-RATE'],
    ['--constructor x', '--constructor'],
  ])('%j, by its name', (text, name) => {
    const refusal = `YTDLP_CONFIG has ${name}, which is not passed on. Remove it, and see docs/yt-dlp.md.`
    expect(() => optionsIn(`-r 1M ${text}`)).toThrow(refusal)
    expect(() => optionsIn(text)).toThrow(refusal)
    expect(() => optionsIn(text)).not.toThrow(/secret/)
  })

  it.each([
    ['--limit-rate', '--limit-rate without its value'],
    ['--limit-rate=', '--limit-rate without its value'],
    ['-r', '-r without its value'],
    ['--limit-rate --retries 3', 'wrong value for --limit-rate'],
    ['--limit-rate fast', 'wrong value for --limit-rate'],
    // yt-dlp refuses these, each time it runs.
    ['--limit-rate 50KiB', 'wrong value for --limit-rate'],
    ['--http-chunk-size 10MB', 'wrong value for --http-chunk-size'],
    ['--retry-sleep 1.2.3', 'wrong value for --retry-sleep'],
    ['-r 0', 'should be 16K or more'],
    ['--limit-rate 1', 'should be 16K or more'],
    ['--limit-rate 15.9k', 'should be 16K or more'],
    ['--user-agent --exec id', 'wrong value for --user-agent'],
    ['--geo-bypass=1', 'value for --geo-bypass, which takes none'],
    ['--extractor-args player_client=tv', 'wrong value for --extractor-args'],
    ['--extractor-args youtube-ejs:dev=true', 'not youtube-ejs'],
    ['--extractor-args YouTube-EJS:dev=true', 'not youtube-ejs'],
    ['--add-headers Cookie:a=secret', 'not a secret'],
    ['--add-headers "Authorization:Bearer secret"', 'not a secret'],
    ['--add-headers Ytdl-Socks-Proxy:socks5://p', 'part of the connection'],
    ['--add-headers Host:inside', 'part of the connection'],
    ['--add-headers "X-A:b\nY-C:d"', 'wrong value for --add-headers'],
    ['--max-sleep-interval 5', '--max-sleep-interval without a shorter --sleep-interval'],
    ['--sleep-interval 9 --max-sleep-interval 5', '--max-sleep-interval without a shorter --sleep-interval'],
    ['https://example.org/secret', 'which is not an option'],
    ['-r 1M secret', 'which is not an option'],
    ['-', 'which is not an option'],
    ['""', 'which is not an option'],
    ['-- --exec id', 'which is not an option'],
    ['--user-agent "open', 'without an end'],
  ])('%j, and says why', (text, why) => {
    expect(() => optionsIn(text)).toThrow(why)
    expect(() => optionsIn(text)).not.toThrow(/secret[^\s]|=secret/)
  })
})

it('yt-dlp knows every option that is passed on, and each takes a value or none as here', async () => {
  const { command, env } = toolsForTests().ytdlp
  const examples = `-r 1M --throttled-rate 1M --http-chunk-size 1M -N 2 --sleep-requests 1 --sleep-interval 1 --max-sleep-interval 2
    --sleep-subtitles 1 --socket-timeout 9 -R 1 --fragment-retries 1 --file-access-retries 1 --extractor-retries 1 --retry-sleep 1
    --extractor-args a:b --user-agent a --referer b --add-headers A:b --xff never --geo-bypass --no-geo-bypass --geo-bypass-country DE
    --geo-bypass-ip-block 192.0.2.0/24 --check-formats --check-all-formats --no-check-formats`
  const words = optionsIn(examples).map(({ name, value }) => (value === undefined ? name : `${name}=${value}`))

  const [file = '', ...args] = command
  const { exitCode, stderr } = await execa(
    file,
    [...args, '--ignore-config', '--no-plugin-dirs', ...words, '--list-impersonate-targets'],
    { env, reject: false },
  )

  expect(stderr).toBe('')
  expect(exitCode).toBe(0)
})
