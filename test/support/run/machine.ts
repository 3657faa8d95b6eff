/** The real parts that tests run against, found once for the whole run as the service finds them. */
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { env } from 'node:process'
import type { Tools } from '../../../src/ytdlp/run/tools.ts'
import { findTools } from '../../../src/ytdlp/tools/tools.ts'
import { type Chromium, packagedChromium } from './packaged-chromium.ts'

/** `null`: this machine has none, and it could not be fetched. */
export type Machine = { tools: Tools | null; chromium: Chromium | null }

/** What each part is needed for; without it these files are left out. */
const needs: { part: keyof Machine; files: string[]; sentence: string }[] = [
  {
    part: 'tools',
    files: [
      'test/e2e/**',
      'test/ytdlp/run/download*.test.ts',
      'test/ytdlp/run/metadata.test.ts',
      'test/ytdlp/tools/renew.test.ts',
      'test/jobs/worker/tool-care.test.ts',
      'test/browser/{polling,watching}.test.ts',
    ],
    sentence: 'yt-dlp and ffmpeg are neither on this machine nor to be had',
  },
  {
    part: 'chromium',
    files: ['test/browser/**', 'test/e2e/browser.test.ts', 'test/security/content.test.ts'],
    sentence: 'there is no Chromium on this machine, and none in the registry for it; set CHROMIUM_PATH or install one',
  },
]

export async function findMachine(): Promise<Machine> {
  const [tools, chromium] = await Promise.all([
    findTools({
      ytdlp_path: env.YTDLP_PATH,
      ffmpeg_path: env.FFMPEG_PATH,
      path: env.PATH ?? '',
      data_dir: env.DATA_DIR ?? '.data',
      log: console,
    }),
    findChromium(),
  ])
  return { tools: 'missing' in tools ? null : tools, chromium }
}

/** The files to leave out, said aloud. Under CI nothing is left out: a part that is missing is a fault. */
export function leftOut(machine: Machine): string[] {
  const missing = needs.filter(({ part }) => machine[part] === null)
  const sentences = missing.map(({ files, sentence }) => `Left out: ${files.join(', ')}; ${sentence}.`)
  if (env.CI && sentences.length > 0) throw new Error(sentences.join('\n'))
  for (const sentence of sentences) console.warn(sentence)
  return missing.flatMap(({ files }) => files)
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The one in CHROMIUM_PATH, else the first on PATH, else the one from the npm registry. */
async function findChromium(): Promise<Chromium | null> {
  const folders = (env.PATH ?? '').split(delimiter)
  const places = [env.CHROMIUM_PATH ?? '', ...folders.flatMap(folder => names.map(name => join(folder, name)))]
  for (const executable of places.filter(Boolean)) if (await exists(executable)) return { executable, env: {} }
  return packagedChromium(join(env.DATA_DIR ?? '.data', 'chromium'))
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
