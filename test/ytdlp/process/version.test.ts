import { describe, expect, it } from 'vitest'
import { asYtdlp, isAtLeast, knows } from '../../../src/ytdlp/process/version.ts'

it.each([[['/bin/echo']], [['/bin/false']], [['/nowhere/at-all']]])('takes %s for no yt-dlp', async command => {
  expect(await asYtdlp(command)).toBeUndefined()
})

describe('isAtLeast', () => {
  it.each([
    ['2026.07.04', '2026.07.04', true],
    ['2026.08.19', '2026.07.04', true],
    ['2026.7.5', '2026.07.04', true],
    ['2026.07.04.232815', '2026.07.04', true],
    ['2027.01.01', '2026.07.04', true],
    ['2026.07.03', '2026.07.04', false],
    ['2025.12.31', '2026.07.04', false],
    ['2026', '2026.07.04', false],
    ['nonsense', '2026.07.04', false],
  ])('%s against %s is %s', (version, least, expected) => {
    expect(isAtLeast(version, least)).toBe(expected)
  })
})

it('knows which flags an old one would not survive', () => {
  expect(knows('2023.03.04', '--progress-delta')).toBe(false)
  expect(knows('2025.04.30', '--progress-delta')).toBe(true)
  expect(knows('2025.04.30', '--js-runtimes')).toBe(false)
  expect(knows('2026.08.19', '--js-runtimes')).toBe(true)
})
