/** As processes: the real yt-dlp and ffmpeg, for tests and for the processes that they start. */
import { chmod, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { Tools } from '../../../src/ytdlp/process/programs.ts'
import { shellScript } from './fake-tool.ts'

/** Throws when there are none: a test that needs them must not pass without them. */
export function toolsForTests(): Tools {
  const { tools } = inject('machine')
  if ('missing' in tools) throw new Error(tools.missing)
  const command = [...tools.ytdlp.command, ...system_certificates]
  return { ...tools, ytdlp: { ...tools.ytdlp, command } }
}

/** yt-dlp would trust only the authorities of `certifi`, where this machine's Python has it, and not those that a test names. */
const system_certificates = ['--compat-options', 'no-certifi']

/**
 * The environment of a process of the service in tests: its folders, a free port, this machine's addresses and the tools.
 * `tools_env`: more variables for yt-dlp.
 */
export async function environmentIn(
  folder: string,
  tools_env: Record<string, string> = {},
): Promise<Record<string, string>> {
  // Otherwise, as root, the embedded Postgres would keep its data in /var/lib after the test.
  await chmod(folder, 0o755)
  return {
    DATA_DIR: join(folder, 'data'),
    DOWNLOADS_DIR: join(folder, 'downloads'),
    ALLOWED_ADDRESSES: '127.0.0.1',
    PORT: '0',
    ...(await toolEnvironment(folder, tools_env)),
  }
}

/**
 * An ffmpeg that waits before it works on a file with this in its name, as long as the file `hold` exists. It writes `held` when it waits.
 */
export async function patientFfmpeg(folder: string, words: string) {
  const { ffmpeg, ffprobe } = toolsForTests()
  const [hold, held, file] = [join(folder, 'hold'), join(folder, 'held'), join(folder, 'ffmpeg')]
  await symlink(ffprobe, join(folder, 'ffprobe'))
  const wait = `[ -e '${hold}' ] && : > '${held}' && while [ -e '${hold}' ]; do sleep 0.1; done`
  await writeFile(file, `#!/bin/sh\ncase "$*" in *${words}*) ${wait} ;; esac\nexec '${ffmpeg}' "$@"\n`)
  await chmod(file, 0o755)
  await writeFile(hold, '')
  return { FFMPEG_PATH: file, hold, held }
}

/** The same tools for a separate process, so that it need not look for them. `folder`: for the scripts that start them. */
async function toolEnvironment(folder: string, more: Record<string, string>): Promise<Record<string, string>> {
  const { ytdlp, ffmpeg } = toolsForTests()
  const YTDLP_PATH = join(folder, 'yt-dlp')
  await writeFile(YTDLP_PATH, scriptFor(ytdlp.command, { ...ytdlp.env, ...more }), { mode: 0o755 })
  return { YTDLP_PATH, FFMPEG_PATH: ffmpeg }
}

/** Where a Python runs yt-dlp, the script is one of that Python, so that the service forks yt-dlp as it does for people. */
function scriptFor([file = '', ...words]: string[], env: Record<string, string>): string {
  if (!/python[\d.]*$/.test(file)) return shellScript([file, ...words], env)
  const { PYTHONPATH = '', ...others } = env
  return `#!${file}
import os, runpy, sys
os.environ.update(${JSON.stringify(others)})
sys.path[:0] = [${JSON.stringify(PYTHONPATH)}]
sys.argv[1:1] = ${JSON.stringify(words.slice(1))}
runpy.run_path(${JSON.stringify(words[0])}, run_name=__name__)
`
}
