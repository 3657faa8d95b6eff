import { describe, expect, it } from 'vitest'
import { mirrorOf } from '../../../src/ytdlp/tools/apt.ts'

describe('mirrorOf', () => {
  it.each([
    ['deb http://mirror.example/debian bookworm main', 'http://mirror.example/debian'],
    [
      'deb [arch=amd64 signed-by=/usr/share/keyrings/x.gpg] https://mirror.example/debian/ sid main contrib',
      'https://mirror.example/debian',
    ],
    ['Types: deb\nURIs: http://mirror.example/debian\nSuites: trixie\n', 'http://mirror.example/debian'],
    ['Types: deb\nuris: https://one.example/ubuntu https://two.example/debian/\n', 'https://two.example/debian'],
    ['# deb http://commented.example/debian bookworm main\n', undefined],
    ['deb http://security.debian.org/debian-security bookworm-security main', undefined],
    ['deb cdrom:[Debian 12]/ bookworm main', undefined],
    ['deb-src http://mirror.example/debian bookworm main', undefined],
    ['', undefined],
  ])('of %j is %s', (text, mirror) => {
    expect(mirrorOf([text])).toBe(mirror)
  })

  it('passes over files of other packages', () => {
    expect(
      mirrorOf(['deb https://packages.example/apt stable main', 'deb http://mirror.example/debian sid main']),
    ).toBe('http://mirror.example/debian')
  })
})
