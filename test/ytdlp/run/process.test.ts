/** The lines of tools, with a shell as the tool. */
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { runTool } from '../../../src/ytdlp/run/process.ts'

/** The lengths of the lines that a shell prints. */
async function lengths(script: string): Promise<number[]> {
  const found: number[] = []
  await runTool({
    ...{ command: ['sh'], args: ['-c', script], cwd: tmpdir(), env: { PATH: '/usr/bin:/bin' } },
    ...{ signal: new AbortController().signal, silence_ms: () => 60_000, longest_ms: 60_000 },
    onLine: line => void found.push(line.length),
  })
  return found
}

const line_of = (length: number) => `head -c ${length} /dev/zero | tr '\\0' x; echo`

it('a line with the longest description that is stored, escaped, arrives whole', async () => {
  expect(await lengths(line_of(600_000))).toEqual([600_000])
})

it('a line without an end is cut off, and so is a long error', async () => {
  const [printed = 0] = await lengths(line_of(8_000_000))
  expect(printed).toBeLessThan(2_000_000)
  const [said = 0] = await lengths(`(${line_of(1_000_000)}) >&2`)
  expect(said).toBeLessThan(200_000)
})
