/**
 * The versions of yt-dlp, ffmpeg and the JavaScript runtime: reads them from the programs, compares them, and says which version of yt-dlp
 * knows which flag. Pages need only the age of a yt-dlp, so `execa` is loaded when a program is run.
 */
import process from 'node:process'
import { runtime } from '../../runtime/serve.ts'
import type { Ytdlp } from './programs.ts'

/** Older versions have known security holes that a video site can use. */
export const oldest_safe = '2026.07.04'

/** A version is a date; `undefined`: it is not one. */
export function ageInDays(version: string, now: Date): number | undefined {
  const [year = 0, month = 0, day = 0] = versionNumbers(version)
  const released_at = Date.UTC(year, month - 1, day)
  return year > 2000 && month > 0 && day > 0 ? Math.floor((now.getTime() - released_at) / 86_400_000) : undefined
}

/** The JavaScript runtime that this yt-dlp uses; `undefined`: it is too old to use one. */
export function javascriptFor(version: string): string | undefined {
  const { node, deno } = process.versions
  return knows(version, '--js-runtimes') ? `${runtime.name} ${runtime.name === 'deno' ? deno : node}` : undefined
}

/** The text after the name, such as `7.1.1-1+b1` or `N-118000-g…`; `undefined`: it does not run, or is not ffmpeg. */
export async function ffmpegVersion(file: string): Promise<string | undefined> {
  const { execa } = await import('execa')
  const { stdout } = await execa(file, ['-version'], { stdin: 'ignore', timeout: 20_000, reject: false })
  return /^ffmpeg version (\S{1,60})/.exec(String(stdout ?? ''))?.[1]
}

/** `undefined`: it does not run, or is not yt-dlp. The first start unpacks or compiles, so it may take long. */
export async function asYtdlp(command: string[], env: Record<string, string> = {}): Promise<Ytdlp | undefined> {
  const [file = '', ...args] = command
  const { execa } = await import('execa')
  const result = await execa(file, [...args, '--ignore-config', '--version'], {
    env,
    stdin: 'ignore',
    timeout: 60_000,
    reject: false,
    maxBuffer: 10_000,
  })
  const version = String(result.stdout ?? '').trim()
  return result.exitCode === 0 && /^\d{4}\.\d{1,2}\.\d{1,2}\S*$/.test(version) ? { command, env, version } : undefined
}

/** The release that introduced each flag. yt-dlp exits at an unknown flag, so a flag is passed only to versions that know it. */
const since = {
  '--progress-delta': '2024.07.01',
  '--no-plugin-dirs': '2025.01.26',
  '--js-runtimes': '2025.11.12',
  '--remote-components': '2025.11.12',
} as const
export type Flag = keyof typeof since

export const knows = (version: string, flag: Flag): boolean => isAtLeast(version, since[flag])

/** Versions are dates with an optional build number: 2026.08.19, 2026.08.19.232815, `2026.10.26-1`. */
export function isAtLeast(version: string, least: string): boolean {
  const [a, b] = [versionNumbers(version), versionNumbers(least)]
  const at = b.findIndex((number, n) => (a[n] ?? 0) !== number)
  return at === -1 || (a[at] ?? 0) > (b[at] ?? 0)
}

const versionNumbers = (version: string): number[] => version.split(/[.-]/).map(Number)
