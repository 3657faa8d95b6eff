import { describe, expect, it } from 'vitest'
import { isSoundOnly, qualities } from '../../../src/schema/downloads/quality.ts'
import { argumentsOf, subtitleArgumentsOf } from '../../../src/ytdlp/ask/command.ts'
import { markersWith } from '../../../src/ytdlp/ask/output.ts'

const place = { folder: '/srv/one', ffmpeg: '/opt/ffmpeg', version: '2026.08.19' }
const markers = markersWith('5ec7e7')
const request = { ...place, markers, url: 'https://example.org/v', quality: 'best' as const }

describe('argumentsOf', () => {
  it.each(['https://example.org/v', '--exec=id', '-o/tmp/x', 'a\nb'])(
    'the address %s comes last, after the end of options',
    url => {
      const args = argumentsOf({ ...request, url })

      expect(args.slice(-2)).toEqual(['--', url])
      expect(args.filter(arg => arg.includes(url))).toEqual([url])
    },
  )

  it.each(['--ignore-config', '--no-plugin-dirs', '--no-cache-dir', '--no-exec', '--no-playlist'])(
    'the arguments always contain %s',
    flag => {
      expect(argumentsOf(request)).toContain(flag)
    },
  )

  it('the arguments request one finished video, in the given folder, by the native downloader', () => {
    const args = argumentsOf(request)
    const told = (flag: string) => args[args.indexOf(flag) + 1]

    expect(told('--playlist-items')).toBe('1')
    expect(told('--match-filters')).toContain('!is_live')
    expect(told('-P')).toBe('/srv/one')
    expect(told('-o')).toBe('video.%(ext)s')
    expect(told('--downloader')).toBe('native')
    expect(told('--ffmpeg-location')).toBe('/opt/ffmpeg')
    expect(told('--js-runtimes')).toMatch(/^(node|deno):\//)
  })

  it('an old version gets no flag that it does not know', () => {
    const args = argumentsOf({ ...request, version: '2023.03.04' })

    for (const flag of ['--progress-delta', '--no-plugin-dirs', '--js-runtimes', '--remote-components'])
      expect(args).not.toContain(flag)
    expect(args).toContain('--progress-template')
  })

  it('the arguments contain no proxy, because every user of the machine could read it', () => {
    expect(argumentsOf(request)).not.toContain('--proxy')
  })

  it.each([
    ['best', 'quality,res,vcodec:h264,fps,hdr:12,+hasaud,lang,acodec:aac'],
    ['1080', 'res:1080,vcodec:h264,fps,hdr:12,+hasaud,lang,acodec:aac,quality'],
    ['compatible', 'res:1080,vcodec:h264,fps:60,hdr:sdr,+hasaud,lang,acodec:aac,channels:2,quality'],
    ['audio', 'lang,acodec:aac,quality,abr,+res'],
    ['mp3', 'lang,acodec:mp3,quality,abr,+res'],
  ] as const)('orders formats for %s', (quality, order) => {
    const args = argumentsOf({ ...request, quality })

    expect(args[args.indexOf('-S') + 1]).toBe(order)
  })

  it.each(qualities)('every video has a format for %s, and none that bypasses the proxy', quality => {
    const args = argumentsOf({ ...request, quality })
    const ways = args[args.indexOf('-f') + 1]?.split('/') ?? []

    // A height in the selection itself would refuse what has other heights, so one may only be in a way before the usual ones.
    const usual = ways.filter(way => !/height|vcodec|language/.test(way))
    expect(usual.slice(-2)).toEqual([expect.stringMatching(/^b\[/), expect.stringMatching(/^bv\*\[/)])
    expect(ways.slice(-2)).toEqual(usual.slice(-2))
    for (const way of ways.flatMap(way => way.split('+'))) expect(way).toContain(`[protocol~='^(http|m3u8|ism|f4m)']`)
    expect(ways[0]?.startsWith('ba')).toBe(isSoundOnly(quality))
  })

  it('a partial file of another quality is never resumed', () => {
    const names = qualities.map(quality => {
      const args = argumentsOf({ ...request, quality })
      return args[args.indexOf('-o') + 1]
    })

    expect(new Set(names).size).toBe(qualities.length)
    expect(names[0]).toBe('video.%(ext)s')
  })
})

describe('subtitleArgumentsOf', () => {
  const args = subtitleArgumentsOf({ ...place, names: ['en', 'pt-BR', 'de-orig'] })

  it('only the chosen languages are requested, from the info file of the first run', () => {
    expect(args[args.indexOf('--sub-langs') + 1]).toBe('en,pt-BR,de-orig')
    expect(args[args.indexOf('--load-info-json') + 1]).toBe('/srv/one/about.info.json')
    expect(args).toContain('--skip-download')
    expect(args.filter(arg => /^https?:/.test(arg))).toEqual([])
  })

  it.each(['--ignore-config', '--no-plugin-dirs', '--no-cache-dir', '--no-exec', '--ignore-errors'])(
    'the arguments always contain %s',
    flag => {
      expect(args).toContain(flag)
    },
  )

  it('the arguments contain no proxy, because every user of the machine could read it', () => {
    expect(args).not.toContain('--proxy')
  })
})
