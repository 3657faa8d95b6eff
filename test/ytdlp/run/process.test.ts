/** The lines of tools and their limits, with a shell as the tool. */
import { platform, tmpdir } from 'node:os'
import process from 'node:process'
import { expect, it } from 'vitest'
import { runTool } from '../../../src/ytdlp/run/process.ts'
import { limits, type ToolKind } from '../../../src/ytdlp/run/tools.ts'

/** The lengths of the lines that a shell prints, and how it ended. */
async function ran(script: string, kind: ToolKind = 'download') {
  const lengths: number[] = []
  const ended = await runTool({
    ...{ kind, command: ['sh'], args: ['-c', script], cwd: tmpdir(), env: { PATH: process.env.PATH ?? '' } },
    signal: new AbortController().signal,
    onLine: line => void lengths.push(line.length),
  })
  return { lengths, ...ended }
}

const line_of = (length: number) => `head -c ${length} /dev/zero | tr '\\0' x; echo`

it('a line with the longest description that is stored, escaped, arrives whole', async () => {
  expect((await ran(line_of(600_000))).lengths).toEqual([600_000])
})

it('a line without an end is cut off, and so is a long error', async () => {
  const [printed = 0] = (await ran(line_of(8_000_000))).lengths
  expect(printed).toBeLessThan(2_000_000)
  const [said = 0] = (await ran(`(${line_of(1_000_000)}) >&2`)).lengths
  expect(said).toBeLessThan(200_000)
})

it('a tool that prints more than its kind may is ended, whichever stream it prints to', async () => {
  const most = limits.picture.output_mb * 1024 * 1024
  for (const script of [
    'yes $(seq 200)',
    'yes $(seq 200) >&2',
    `${line_of(600_000)}; ${line_of(600_000)}; sleep 600`,
  ]) {
    const { lengths, stopped } = await ran(script, 'picture')
    expect(stopped).toBe('too_much')
    expect(lengths.reduce((all, length) => all + length, 0)).toBeLessThanOrEqual(most)
  }
})

it('a tool that prints almost as much as its kind may is not ended', async () => {
  expect(await ran(`${line_of(500_000)}; (${line_of(500_000)}) >&2`, 'picture')).toMatchObject({ exit_code: 0 })
})

it.runIf(platform() === 'linux')('no child of a tool gets more memory than its kind may have', async () => {
  const copy = (mb: number) => `sh -c 'dd if=/dev/zero of=/dev/null count=1 bs=${mb}000000; exit $?'`
  expect((await ran(copy(20), 'picture')).exit_code).toBe(0)
  expect((await ran(copy(900), 'picture')).exit_code).not.toBe(0)
  expect((await ran(copy(900), 'convert')).exit_code).toBe(0)
})

it('a tool that is missing could not be started', async () => {
  const missing = { kind: 'ask' as const, command: ['/nowhere/tool'], args: [], cwd: tmpdir(), env: {} }
  const ended = await runTool({ ...missing, signal: new AbortController().signal, onLine() {} })
  expect(ended.could_start).toBe(false)
})
