/** As a process: shell scripts instead of yt-dlp, which start the real one or show faults that the real one rarely shows. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Tools } from '../../../src/ytdlp/process/programs.ts'

/** Lets a script print a line of ours, `say done '{…}'`, with the secret from its arguments. */
export const say = `secret=$(printf '%s\\n' "$@" | sed -n 's/.*\\[backlot-[a-z]*:\\([0-9a-f]*\\)\\].*/\\1/p' | head -n 1)
say() { printf '%s\\n' "[backlot-$1:$secret]$2"; }`

/** `$folder` in the script is the folder of the download. */
export const withFakeYtdlp = (tools: Tools, folder: string, script: string): Promise<Tools> =>
  withScript(tools, folder, `while [ "$1" != "-P" ]; do shift; done; folder=$2\n${script}`)

/** Replaces yt-dlp by a script that gets all arguments. */
export async function withScript(tools: Tools, folder: string, script: string): Promise<Tools> {
  const file = join(folder, 'fake-yt-dlp')
  await writeFile(file, `#!/bin/sh\n${say}\n${script}\n`, { mode: 0o755 })
  return { ...tools, ytdlp: { command: [file], env: {}, version: '2026.08.19' } }
}

/** A script that runs a command, and passes its own arguments on. */
export function shellScript(command: string[], env: Record<string, string>): string {
  const variables = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
  return `#!/bin/sh\n${[...variables, 'exec', ...command.map(word => `'${word}'`)].join(' ')} "$@"\n`
}

/** Starts this yt-dlp by a program that is no Python script, so it cannot be forked. */
export async function asBinary(tools: Tools, folder: string): Promise<Tools> {
  const file = join(folder, 'yt-dlp-binary')
  await writeFile(file, shellScript(tools.ytdlp.command, tools.ytdlp.env), { mode: 0o755 })
  return { ...tools, ytdlp: { ...tools.ytdlp, command: [file], env: {} } }
}
