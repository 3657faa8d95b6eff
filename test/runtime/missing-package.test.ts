/** The scripts of `package.json` in a copy of the program whose `node_modules` lack a package, as after an install that broke off. */
import { cp, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { beforeAll, expect, it } from 'vitest'
import { missingPackageIn } from '../../src/runtime/missing-package.ts'
import { newFolder } from '../support/run/new-folder.ts'

const app = newFolder()
const packages = join(app, 'node_modules')
const { scripts } = JSON.parse(await readFile('package.json', 'utf8'))
const programs = Object.entries<string>(scripts).filter(([, line]) => / (?:src\/main|jobs\/cli\/[\w-]+)\.ts/.test(line))

beforeAll(async () => {
  await Promise.all(['src', 'jobs', 'package.json'].map(name => cp(name, join(app, name), { recursive: true })))
  await mkdir(packages)
  for (const name of ['.bin', ...(await readdir('node_modules')).filter(name => !name.startsWith('.'))])
    await symlink(resolve('node_modules', name), join(packages, name))
})

const run = async (line: string) => {
  const [file = '', ...args] = line.replace(/ --watch/, '').split(' ')
  const env = { DATA_DIR: join(app, 'data'), DATABASE_URL: '', INSTALL_TOOLS: 'off', PORT: '0' }
  const { exitCode, all } = await execa(join(packages, '.bin', file), args, { cwd: app, env, all: true, reject: false })
  return { exitCode, all }
}

/** Runs `work` while a package is missing. */
async function without<T>(name: string, work: () => Promise<T>): Promise<T> {
  await rm(join(packages, name))
  return work().finally(() => symlink(resolve('node_modules', name), join(packages, name)))
}

it('every program says in one sentence that a package is missing', async () => {
  expect(programs.length).toBeGreaterThan(10)
  const ends = await without('zod', () =>
    Promise.all(programs.map(async ([script, line]) => [script, await run(line)])),
  )
  const expected = { exitCode: 1, all: 'A package is missing: zod. Run npm ci.' }
  expect(ends).toEqual(programs.map(([script]) => [script, expected]))
})

it.each(['pino', 'postgres', 'hono'])('a start says that %s is missing, wherever it is loaded', async name => {
  const { exitCode, all } = await without(name, () => run(scripts.start))
  expect([exitCode, all]).toEqual([
    1,
    expect.stringMatching(new RegExp(`^A package is missing: ${name}. Run npm ci.$`, 'm')),
  ])
})

it('a package is known by its name in every form of the message, and a missing file of ours is none', () => {
  const named = (subject: string) => missingPackageIn(`Cannot find ${subject} imported from /app/src/roles.ts`)
  expect(named("package 'pino'")).toBe('A package is missing: pino. Run npm ci.')
  expect(named("package '@hono/node-server'")).toContain(' @hono/node-server.')
  expect(named("module 'postgres-array/index.js'")).toContain(' postgres-array.')
  expect(named("package '/app/node_modules/zod/index.js'")).toContain(' zod.')
  expect(named("module '/app/node_modules/a/node_modules/@b/c/d.js'")).toContain(' @b/c.')
  expect(missingPackageIn("Cannot find module 'pino-std-serializers'\nRequire stack:\n- /app/x.js")).toContain(
    ' pino-std-',
  )
  expect([named("module '/app/src/gone.ts'"), named("module './gone.ts'"), missingPackageIn('zod')]).toEqual(
    Array(3).fill(undefined),
  )
})
