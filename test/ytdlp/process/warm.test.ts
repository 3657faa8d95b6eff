/** Forked runs of yt-dlp, with a Python script as yt-dlp: what a run begins with, what it leaves, and who survives whom. */
import { once } from 'node:events'
import { mkdir, readdir, readFile, realpath, rename, writeFile } from 'node:fs/promises'
import { Server } from 'node:net'
import { platform } from 'node:os'
import { join } from 'node:path'
import process, { execPath } from 'node:process'
import { execa } from 'execa'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { addressPolicy } from '../../../src/net/addresses.ts'
import type { ToolKind, Tools } from '../../../src/ytdlp/process/programs.ts'
import { limits } from '../../../src/ytdlp/process/programs.ts'
import { prepareYtdlp } from '../../../src/ytdlp/process/warm.ts'
import { runYtdlp } from '../../../src/ytdlp/process/ytdlp.ts'
import { pythonOn } from '../../../src/ytdlp/tools/machine.ts'
import { isAlive } from '../../support/process/running.ts'
import { newFolder } from '../../support/run/new-folder.ts'

let place = ''
let tools: Tools

/** Says what it began with. Imports `slow`, which says that it is imported. `spoil`: then changes all that it can. `stay`: stays. */
const script = `
import json, os, resource, subprocess, sys, tempfile
import slow
if __name__ == '__main__':
    here = lambda: {
        'pid': os.getpid(), 'group': os.getpgid(0), 'parent': os.getppid(), 'args': sys.argv, 'cwd': os.getcwd(),
        'env': dict(os.environ), 'files': sorted(int(file) for file in os.listdir('/proc/self/fd'))[:-1],
        'stdin': os.readlink('/proc/self/fd/0'), 'memory': resource.getrlimit(resource.RLIMIT_DATA),
        'temporary': tempfile.gettempdir(), 'changed': slow.changed, 'path': sys.path[0],
        'all_paths': sys.path,
    }
    print(json.dumps(here()), flush=True)
    if 'spoil' in sys.argv:
        slow.changed = True
        sys.path.insert(0, '/elsewhere')
        os.environ['LEFT'] = 'behind'
        os.chdir('/')
        tempfile.tempdir = '/elsewhere'
        resource.setrlimit(resource.RLIMIT_DATA, (1 << 26, 1 << 26))
        sys.exit('spoilt')
    if 'killed' in sys.argv:
        os.kill(os.getpid(), 9)
    if 'stay' in sys.argv:
        print(subprocess.Popen(['sleep', '600']).pid, flush=True)
        subprocess.run(['sleep', '600'])
`

beforeEach(async () => {
  place = await realpath(newFolder())
  const command = [(await pythonOn(process.env.PATH ?? '')) ?? '', join(place, 'yt-dlp')]
  await writeFile(join(place, 'yt-dlp'), script)
  await writeFile(join(place, 'slow.py'), `changed = False\nopen('${place}/imports', 'a').write('x')\n`)
  const system_env = { PYTHONDONTWRITEBYTECODE: '1' }
  tools = {
    ytdlp: { command, env: {}, version: '' },
    path: process.env.PATH ?? '',
    leash: [],
    system_env,
    ffmpeg: '',
    ffmpeg_version: '',
    ffprobe: '',
  }
})

type Begun = {
  pid: number
  group: number
  parent: number
  args: string[]
  cwd: string
  env: Record<string, string>
  files: number[]
  stdin: string
  memory: number[]
  temporary: string
  changed: boolean
  path: string
  all_paths: string[]
}

let count = 0
type More = { kind?: ToolKind; signal?: AbortSignal; onBegun?(begun: Begun): void }

/** `begun`: what the run said of itself. */
async function ran(args: string[], { signal = new AbortController().signal, onBegun, ...more }: More = {}) {
  const folder = join(place, `run-${++count}`)
  await mkdir(folder)
  const lines: string[] = []
  const onLine = (line: string) => {
    lines.push(line)
    if (lines.length === 1) onBegun?.(JSON.parse(line))
  }
  const ended = await runYtdlp(folder, { tools, policy: addressPolicy([]), args, signal, onLine, ...more })
  const said = lines.find(line => line.startsWith('{')) ?? '{}'
  return { begun: JSON.parse(said) as Begun, lines, folder, ended }
}

/** Each turn of the event loop counts as 100 ms for timeouts. */
async function inFastTime<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let is_over = false
  const ended = work().finally(() => {
    is_over = true
  })
  while (!is_over) {
    vi.advanceTimersByTime(100)
    await new Promise(resolve => setImmediate(resolve))
  }
  return ended
}

describe.runIf(platform() === 'linux')('a forked run', () => {
  it('yt-dlp is imported once for several runs, each in a process of its own', async () => {
    const runs = [await ran(['a']), await ran(['b']), ...(await Promise.all([ran(['c']), ran(['d'])]))]

    expect(await readFile(join(place, 'imports'), 'utf8')).toBe('x')
    expect(new Set(runs.map(({ begun }) => begun.pid)).size).toBe(4)
    expect(new Set(runs.map(({ begun }) => begun.parent)).size).toBe(1)
    expect(runs.map(({ begun }) => begun.args.slice(1))).toEqual([['a'], ['b'], ['c'], ['d']])
  })

  it('a parent that got ready ahead serves the next run', async () => {
    await prepareYtdlp(tools)
    await vi.waitFor(async () => expect(await readFile(join(place, 'imports'), 'utf8')).toBe('x'))

    await ran([])

    expect(await readFile(join(place, 'imports'), 'utf8')).toBe('x')
  })

  it('a forked run gets what a process would get, and nothing else', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://secret@127.0.0.1/x')
    onTestFinished(() => void vi.unstubAllEnvs())

    const { begun, folder } = await ran(['a'], { kind: 'ask' })

    const home = join(folder, 'home')
    const proxy = expect.stringMatching(/^http:\/\/backlot:…@127\.0\.0\.1:\d+$/)
    expect(begun.env).toEqual({
      PATH: tools.path,
      HOME: home,
      TMPDIR: home,
      TEMP: home,
      LANG: 'C.UTF-8',
      ...tools.system_env,
      http_proxy: proxy,
      https_proxy: proxy,
      all_proxy: proxy,
      no_proxy: '',
      NO_PROXY: '',
    })
    const bytes = limits.ask.memory_mb * 1024 * 1024
    expect(begun).toMatchObject({
      cwd: folder,
      temporary: home,
      stdin: '/dev/null',
      memory: [bytes, bytes],
      path: place,
    })
    expect([begun.group, begun.files]).toEqual([begun.pid, [0, 1, 2]])
  })

  it('nothing of a run is left for the next one: changes, environment, proxy', async () => {
    const spoilt = await ran(['spoil'])
    const { begun, folder } = await ran([])

    expect(spoilt).toMatchObject({ ended: { exit: 1 }, lines: [expect.any(String), 'spoilt'] })
    expect(begun).toMatchObject({ changed: false, path: place, cwd: folder, memory: spoilt.begun.memory })
    expect(begun).toMatchObject({ parent: spoilt.begun.parent, temporary: join(folder, 'home') })
    expect(begun.env).not.toHaveProperty('LEFT')
    expect(begun.env.http_proxy).not.toBe(spoilt.begun.env.http_proxy)
  })

  it('a run never gets more memory than its system allows', async () => {
    const [python = '', file = ''] = tools.ytdlp.command
    const low = join(place, 'python3')
    await writeFile(low, `#!/bin/sh\nulimit -d 300000\nexec ${python} "$@"\n`, { mode: 0o755 })
    tools.ytdlp.command = [low, file]

    expect((await ran([])).begun.memory).toEqual([300_000 * 1024, 300_000 * 1024])
  })

  it('a new yt-dlp gets a new parent, and a run of the old one goes on to its end', async () => {
    const stop = new AbortController()
    const began = Promise.withResolvers<Begun>()
    const old = ran(['stay'], { signal: stop.signal, onBegun: began.resolve })
    const { parent, pid } = await began.promise
    await writeFile(join(place, 'yt-dlp'), `${script}\n# newer\n`)

    expect((await ran([])).begun.parent).not.toBe(parent)
    expect(await isAlive(String(pid))).toBe(true)

    stop.abort(new Error('enough'))
    await expect(old).rejects.toThrow('enough')
    await vi.waitFor(async () => expect(await isAlive(String(parent))).toBe(false))
  })

  it('a zipapp finds no modules in its folder, as when it is started as a process', async () => {
    const [python = '', file = ''] = tools.ytdlp.command
    const [app, zip] = [join(place, 'app'), join(place, 'yt-dlp.pyz')]
    await mkdir(app)
    await rename(file, join(app, '__main__.py'))
    await rename(join(place, 'slow.py'), join(app, 'slow.py'))
    await execa(python, ['-m', 'zipapp', app, '-o', zip])
    tools.ytdlp.command = [python, zip]

    const { begun } = await ran([])

    expect(begun).toMatchObject({ path: zip, args: [zip] })
    expect(begun.all_paths).not.toContain(place)
    expect((await ran([])).begun.parent).toBe(begun.parent)
  })

  it('no signal is sent to the number of a group that has ended', async () => {
    const sent = vi.spyOn(process, 'kill')
    onTestFinished(() => sent.mockRestore())

    expect(await ran(['killed'])).toMatchObject({ ended: { exit: 'SIGKILL', could_start: true } })

    expect(sent).not.toHaveBeenCalled()
  })

  it('a Python that prints before it starts does no harm', async () => {
    const [python = '', file = ''] = tools.ytdlp.command
    const loud = join(place, 'python3')
    await writeFile(loud, `#!/bin/sh\necho 'welcome'\necho null\nexec ${python} "$@"\n`, { mode: 0o755 })
    tools.ytdlp.command = [loud, file]

    const { begun } = await ran([])

    expect((await ran([])).begun.parent).toBe(begun.parent)
  })

  it('what yt-dlp starts while it is imported is no run', async () => {
    const file = tools.ytdlp.command[1] ?? ''
    const begins = `import subprocess, sys, time\nif __name__ != '__main__': subprocess.Popen(['true'])\n`
    await writeFile(file, `${begins}${script}`)

    const runs = [await ran([]), await ran([]), await ran([])]

    expect(new Set(runs.map(({ begun }) => begun.parent)).size).toBe(1)
  })

  it('a run whose output cannot be connected is started as a process', async () => {
    const { parent } = (await ran([])).begun
    const { listen } = Server.prototype
    const listening = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server, ...where) {
      const is_of_output = typeof where[0] === 'string'
      // As when too many files are open.
      if (is_of_output) this.once('listening', () => setImmediate(() => this.emit('error', new Error('EMFILE'))))
      return Reflect.apply(listen, this, where)
    })
    onTestFinished(() => listening.mockRestore())

    const { begun, ended } = await ran([])

    expect(ended).toMatchObject({ exit: 0 })
    expect(begun.parent).not.toBe(parent)
  })

  it('a parent that does not answer is ended, and the run is started as a process', async () => {
    const { parent } = (await ran([])).begun
    process.kill(parent, 'SIGSTOP')

    const run = await inFastTime(() => ran([]))

    expect(run.ended).toMatchObject({ exit: 0 })
    expect(run.begun.parent).not.toBe(parent)
  })
})

describe.runIf(platform() === 'linux')('an end by SIGKILL', () => {
  /** The processes of a run that stays, by their ids. */
  async function stays() {
    const began = Promise.withResolvers<Begun>()
    const both = Promise.withResolvers<string>()
    const folder = join(place, `run-${++count}`)
    await mkdir(folder)
    const lines: string[] = []
    const ended = runYtdlp(folder, {
      tools,
      policy: addressPolicy([]),
      args: ['stay'],
      signal: new AbortController().signal,
      onLine(line) {
        lines.push(line)
        if (lines.length === 1) began.resolve(JSON.parse(line))
        else both.resolve(line)
      },
    })
    const { pid, parent } = await began.promise
    return { ended, pid, parent, child: await both.promise }
  }

  it('the run ends also when its parent hangs and reports nothing', async () => {
    const run = await stays()
    process.kill(run.parent, 'SIGSTOP')

    process.kill(-run.pid, 'SIGKILL')

    expect(await inFastTime(() => run.ended)).toMatchObject({ exit: 'SIGKILL' })
    await vi.waitFor(async () => expect(await isAlive(String(run.parent))).toBe(false))
  })

  it.each(['pid', 'parent'] as const)('the run ends with its children, and the next one begins: %s', async which => {
    const run = await stays()

    process.kill(run[which], 'SIGKILL')

    expect(await run.ended).toMatchObject({ exit: 'SIGKILL', could_start: true })
    for (const pid of [String(run.pid), run.child]) await vi.waitFor(async () => expect(await isAlive(pid)).toBe(false))
    expect(await ran([])).toMatchObject({ ended: { exit: 0 } })
  })

  it.each([[false], [true]])(
    'of our own process, it ends every run and the parent; the parent too: %s',
    async with_parent => {
      const folder = join(place, 'lone')
      await mkdir(folder)
      const lone = execa(execPath, ['test/support/process/lone-fork.ts', JSON.stringify({ tools, folder })], {
        reject: false,
        stdin: 'ignore',
        env: { TMPDIR: place },
      })
      let said = ''
      while (said.split('\n').length < 3) said += (await once(lone.stdout, 'data'))[0]
      const [begun = '', child = ''] = said.split('\n')
      const { pid, parent } = JSON.parse(begun) as Begun

      if (with_parent) process.kill(parent, 'SIGKILL')
      lone.kill('SIGKILL')
      await lone

      for (const one of [String(pid), String(parent), child])
        await vi.waitFor(async () => expect(await isAlive(one)).toBe(false))
      if (!with_parent)
        await vi.waitFor(async () =>
          expect((await readdir(place)).filter(name => name.startsWith('backlot-warm'))).toEqual([]),
        )
    },
  )
})

describe('without a parent', () => {
  it('yt-dlp is started as a process where the paths of sockets would become too long', async () => {
    const long = join(place, 'x'.repeat(Math.max(1, 75 - place.length - 1)))
    await mkdir(long)
    vi.stubEnv('TMPDIR', long)
    onTestFinished(() => void vi.unstubAllEnvs())

    expect((await ran([])).begun.parent).toBe(process.pid)
  })

  it.each([
    ['the Python does not start', '#!/nowhere/python3\n', false],
    ['it is no Python script', `#!/bin/sh\necho '{"pid": 1}'\n`, true],
    [
      'it runs when it is imported',
      `#!/usr/bin/env python3\nprint('{"pid": 1}')\nprint('no report')\nraise SystemExit(0)\n`,
      true,
    ],
  ])('yt-dlp is started as a process: %s', async (_, text, could_start) => {
    const file = join(place, 'other')
    await writeFile(file, text, { mode: 0o755 })
    tools.ytdlp.command = [file]

    const { ended, begun } = await ran([])

    expect(ended).toMatchObject({ could_start })
    expect(begun.pid).toBe(could_start ? 1 : undefined)
  })

  it.each([['missing'], ['-m', 'other']])('the error of Python is passed on: %j', async (...args) => {
    tools.ytdlp.command = [tools.ytdlp.command[0] ?? '', ...args]

    const { ended, lines } = await ran([])

    expect(ended).toMatchObject({ could_start: true })
    expect(lines.join()).toMatch(/can't open file|No module named other/)
  })
})
