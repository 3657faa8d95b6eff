/** The tools are looked for once, and again when that broke. */
import { expect, it } from 'vitest'
import { readConfig } from '../../../src/config/config.ts'
import { lazyTools } from '../../../src/ytdlp/tools/lazy-tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

it('looks again after a look that broke, and only once where it did not', async () => {
  const DATA_DIR = newFolder()
  let looks = 0
  const findTools = lazyTools(readConfig({ PATH: '', DATA_DIR }), { fetch: false }, async () => {
    looks += 1
    if (looks === 1) throw new Error('nowhere to report to')
  })

  await expect(findTools()).rejects.toThrow('nowhere to report to')
  expect(await findTools()).toMatchObject({ missing: expect.any(String) })
  expect(await findTools()).toMatchObject({ missing: expect.any(String) })
  expect(looks).toBe(2)
})
