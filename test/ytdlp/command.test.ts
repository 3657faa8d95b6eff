import { describe, expect, it } from 'vitest'
import { argumentsOf } from '../../src/ytdlp/command.ts'

const request = { url: 'https://example.org/v', folder: '/srv/one', ffmpeg: '/opt/ffmpeg', version: '2026.08.19' }

describe('argumentsOf', () => {
  it.each(['https://example.org/v', '--exec=id', '-o/tmp/x', 'a\nb'])(
    'puts %s last, behind the end of options',
    url => {
      const args = argumentsOf({ ...request, url })

      expect(args.slice(-2)).toEqual(['--', url])
      expect(args.filter(arg => arg.includes(url))).toEqual([url])
    },
  )

  it.each(['--ignore-config', '--no-plugin-dirs', '--no-cache-dir', '--no-exec', '--no-playlist'])(
    'always says %s',
    flag => {
      expect(argumentsOf(request)).toContain(flag)
    },
  )

  it('asks for one finished video, in the folder given, by the native downloader', () => {
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

  it('gives an old version no flag that it would end at', () => {
    const args = argumentsOf({ ...request, version: '2023.03.04' })

    for (const flag of ['--progress-delta', '--no-plugin-dirs', '--js-runtimes', '--remote-components'])
      expect(args).not.toContain(flag)
    expect(args).toContain('--progress-template')
  })

  it('has no proxy in it, which anybody could read', () => {
    expect(argumentsOf(request)).not.toContain('--proxy')
  })
})
