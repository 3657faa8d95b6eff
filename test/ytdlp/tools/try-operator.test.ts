/** Whether the real yt-dlp takes what its operator adds. */
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, it } from 'vitest'
import type { Operator } from '../../../src/ytdlp/operator/options.ts'
import { optionsIn } from '../../../src/ytdlp/operator/options.ts'
import type { Ytdlp } from '../../../src/ytdlp/process/programs.ts'
import { tryOperator } from '../../../src/ytdlp/tools/try-operator.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const tried = (operator: Operator | undefined, more: Partial<Ytdlp> = {}) => {
  const tools = toolsForTests()
  return tryOperator({ ...tools, ytdlp: { ...tools.ytdlp, operator, ...more } })
}

async function pluginOf(code: string): Promise<Operator> {
  const folder = await folderWith('mine', code)
  return { options: [], plugins: { folder, packages: ['mine'] } }
}

/** A new folder in which a plugin is in the folder `name`. */
async function folderWith(name: string, code: string): Promise<string> {
  const folder = newFolder()
  await mkdir(join(folder, name, 'yt_dlp_plugins', 'extractor'), { recursive: true })
  await writeFile(join(folder, name, 'yt_dlp_plugins', 'extractor', 'mine.py'), code)
  return folder
}

it('takes nothing, options, and a plugin that can be loaded', async () => {
  expect(await tried(undefined)).toBeUndefined()
  expect(
    await tried({ options: optionsIn('-r 1M --sleep-requests 1 --extractor-args "youtube:lang=de"') }),
  ).toBeUndefined()
  expect(await tried(await pluginOf('import yt_dlp'))).toBeUndefined()
})

it('says which plugin cannot be loaded, and why, without a path', async () => {
  const said = await tried(await pluginOf('from yt_dlp.extractor.youtube import gone'))

  expect(said).toMatch(
    /^A plugin in YTDLP_PLUGINS cannot be loaded by yt-dlp [\d.]+: 'yt_dlp_plugins.extractor.mine': ImportError/,
  )
  expect(said).not.toContain(tmpdir())
})

it('loads no plugin that is installed elsewhere on this machine', async () => {
  const { env } = toolsForTests().ytdlp
  const elsewhere = await folderWith('', 'from yt_dlp.extractor.youtube import gone')
  const PYTHONPATH = [env.PYTHONPATH, elsewhere].filter(Boolean).join(delimiter)

  expect(await tried(await pluginOf('import yt_dlp'), { env: { ...env, PYTHONPATH } })).toBeUndefined()
})

it('says why yt-dlp does not start, without values', async () => {
  const said = await tried({ options: optionsIn('--impersonate netscape-4') })

  expect(said).toMatch(/^yt-dlp [\d.]+ does not start with YTDLP_CONFIG and YTDLP_PLUGINS: .*Impersonate target/)
  expect(said).not.toContain('netscape-4')
})

it('says that an old yt-dlp knows no folder of plugins', async () => {
  expect(await tried(await pluginOf(''), { version: '2024.12.23' })).toBe(
    'yt-dlp 2024.12.23 is too old for YTDLP_PLUGINS. Update it to 2025.01.26 or newer.',
  )
})
