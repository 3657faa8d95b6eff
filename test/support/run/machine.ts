/** For the end-to-end tests: finds or fetches the real tools as the service does, and a browser. */
import { delimiter, join } from 'node:path'
import { env } from 'node:process'
import type { TestProject } from 'vitest/node'
import type { Tools } from '../../../src/ytdlp/process/programs.ts'
import { findTools } from '../../../src/ytdlp/tools/tools.ts'
import { exists } from './made-once.ts'
import { type Chromium, packagedChromium } from './packaged-chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Only end-to-end tests have it. */
    machine: Machine
  }
}

type Missing = { missing: string }
/** `missing`: a sentence that says what to do. */
export type Machine = { tools: Tools | Missing; chromium: Chromium | Missing }

/** Starts before the first end-to-end file. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide('machine', await findMachine())
}

/** Finds or fetches them. A test that needs a missing one fails with its sentence; none is left out. */
export async function findMachine(): Promise<Machine> {
  const place = { path: env.PATH ?? '', data_dir: env.DATA_DIR ?? '.data', log: console }
  const [tools, chromium] = await Promise.all([
    findTools({ ytdlp_path: env.YTDLP_PATH, ffmpeg_path: env.FFMPEG_PATH, ...place }),
    findChromium(),
  ])
  return { tools, chromium: chromium ?? { missing: no_chromium } }
}

const no_chromium =
  'There is no Chromium on this machine, and the registry has none for it. Install one, or name it in CHROMIUM_PATH.'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/**
 * The Chromium in CHROMIUM_PATH, else the pinned one of the npm registry with its fonts, else the first on PATH. Tests measure pages in
 * pixels, so a browser that the machine happens to have comes last.
 */
async function findChromium(): Promise<Chromium | null> {
  const named = env.CHROMIUM_PATH
  if (named) return (await exists(named)) ? { executable: named, env: {} } : null
  const packaged = await packagedChromium(join(env.DATA_DIR ?? '.data', 'chromium'))
  if (packaged) return packaged
  const folders = (env.PATH ?? '').split(delimiter)
  const places = folders.flatMap(folder => names.map(name => join(folder, name)))
  for (const executable of places) if (await exists(executable)) return { executable, env: {} }
  return null
}
