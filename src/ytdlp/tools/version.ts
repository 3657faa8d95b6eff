/**
 * Reads the versions of yt-dlp, ffmpeg and the JavaScript runtime, and says how old a yt-dlp is. Pages need only the age, so `execa`
 * is loaded when a program is run.
 */
import process from 'node:process'
import { runtime } from '../../runtime/serve.ts'
import { knows, versionNumbers } from '../run/flags.ts'
import type { Ytdlp } from '../run/tools.ts'

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

/** The text after the name, such as `7.1.1-1+b1` or `N-118000-g…`. */
export async function ffmpegVersion(file: string): Promise<string | undefined> {
  const { execa } = await import('execa')
  const { stdout } = await execa(file, ['-version'], { stdin: 'ignore', timeout: 20_000, reject: false })
  return /^ffmpeg version (\S{1,60})/.exec(String(stdout ?? ''))?.[1]
}

/** `undefined`: it does not run, or is not yt-dlp. */
export async function asYtdlp(command: string[], env: Record<string, string> = {}): Promise<Ytdlp | undefined> {
  const version = await versionOf(command, env)
  return version === undefined ? undefined : { command, env, version }
}

/** The answer to `--version`; `undefined`: it does not run, or is not yt-dlp. The first start unpacks or compiles, so it may take long. */
export async function versionOf(command: string[], env: Record<string, string>): Promise<string | undefined> {
  const [file = '', ...args] = command
  const { execa } = await import('execa')
  const result = await execa(file, [...args, '--ignore-config', '--version'], {
    env,
    stdin: 'ignore',
    timeout: 60_000,
    reject: false,
    maxBuffer: 10_000,
  })
  const said = String(result.stdout ?? '').trim()
  return result.exitCode === 0 && /^\d{4}\.\d{1,2}\.\d{1,2}\S*$/.test(said) ? said : undefined
}
