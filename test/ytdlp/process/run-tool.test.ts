/** The lines of tools and their limits, with a shell as the tool: started as a process, and by the fork of a Python. */
import { readFile, writeFile } from 'node:fs/promises'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, it } from 'vitest'
import { limits, type ToolKind } from '../../../src/ytdlp/process/programs.ts'
import { runTool } from '../../../src/ytdlp/process/run-tool.ts'
import { startTool, type ToolRun } from '../../../src/ytdlp/process/start.ts'
import { forkYtdlp } from '../../../src/ytdlp/process/warm.ts'
import { pythonOn } from '../../../src/ytdlp/tools/machine.ts'
import { isAlive } from '../../support/process/running.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const folder = newFolder()
const path = process.env.PATH ?? ''

/** A shell, as a Python script that becomes one. */
async function forkShell(run: ToolRun) {
  const script = join(folder, 'shell')
  const become = "import os, sys\nif __name__ == '__main__':\n    os.execvp('sh', ['sh', *sys.argv[1:]])\n"
  // Written once, because a changed file gets a parent of its own.
  await writeFile(script, become, { flag: 'wx' }).catch(() => {})
  const ytdlp = { command: [(await pythonOn(path)) ?? '', script], env: {}, version: '' }
  const started = await forkYtdlp(
    { ytdlp, path, leash: [], system_env: {}, ffmpeg: '', ffmpeg_version: '', ffprobe: '' },
    run,
  )
  if (!started) throw new Error('it did not fork')
  return started
}

const ways =
  platform() === 'linux' ? { 'as a process': startTool, 'by a fork': forkShell } : { 'as a process': startTool }

describe.each(Object.entries(ways))('a tool that is started %s', (_, start) => {
  /** The lengths of the lines that a shell prints, and how it ended. */
  async function ran(script: string, kind: ToolKind = 'download', more: Partial<ToolRun> = {}) {
    const lengths: number[] = []
    const ended = await runTool(
      {
        kind,
        command: ['sh'],
        args: ['-c', script],
        cwd: tmpdir(),
        env: { PATH: path },
        signal: new AbortController().signal,
        onLine: line => void lengths.push(line.length),
        ...more,
      },
      start,
    )
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
    expect(await ran(`${line_of(500_000)}; (${line_of(500_000)}) >&2`, 'picture')).toMatchObject({ exit: 0 })
  })

  it.runIf(platform() === 'linux')('no child of a tool gets more memory than its kind may have', async () => {
    const copy = (mb: number) => `sh -c 'dd if=/dev/zero of=/dev/null count=1 bs=${mb}000000; exit $?'`
    expect((await ran(copy(20), 'picture')).exit).toBe(0)
    expect((await ran(copy(900), 'picture')).exit).not.toBe(0)
    expect((await ran(copy(900), 'convert')).exit).toBe(0)
  })

  it('the exit code is passed on, or the name of the signal', async () => {
    expect(await ran('exit 7')).toMatchObject({ exit: 7, could_start: true })
    expect((await ran('kill -9 $$')).exit).toBe('SIGKILL')
  })

  it('all that a tool prints arrives, although it ends at once', async () => {
    for (let n = 0; n < 20; n++) {
      const { lengths } = await ran('echo a; echo bb >&2')
      expect(lengths.toSorted()).toEqual([1, 2])
    }
  })

  it('a tool that prints nothing for too long is ended, and so is a tool that takes too long', async () => {
    expect((await ran('sleep 600', 'download', { silence_ms: () => 200 })).stopped).toBe('silent')
    expect((await ran('while true; do echo x; sleep 0.1; done', 'download', { longest_ms: 500 })).stopped).toBe(
      'too_long',
    )
  })

  it('what a tool leaves behind is ended with it', async () => {
    const left = join(folder, 'left')
    expect((await ran(`(trap '' TERM; sleep 600) & echo $! > ${left}; exit 3`)).exit).toBe(3)
    expect(await isAlive(await readFile(left, 'utf8'))).toBe(false)
  })

  it('an abort ends a tool that ignores signals', async () => {
    const stop = new AbortController()
    const running = ran("trap '' TERM; echo x; while true; do sleep 1; done", 'download', {
      signal: stop.signal,
      onLine: () => stop.abort(new Error('enough')),
    })
    await expect(running).rejects.toThrow('enough')
  })

  it('an abort while the tool is being started ends the tool', async () => {
    const stop = new AbortController()
    const running = ran('sleep 600', 'download', { signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(running).rejects.toThrow('enough')
  })
})

it('a tool that is missing could not be started', async () => {
  const missing = { kind: 'ask' as const, command: ['/nowhere/tool'], args: [], cwd: tmpdir(), env: {} }
  const ended = await runTool({ ...missing, signal: new AbortController().signal, onLine() {} })
  expect(ended.could_start).toBe(false)
})
