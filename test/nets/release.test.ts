/** The release: the workflow that GitHub runs, read by GitHub's own linter and run with other programs; and `npm version`. */
import { randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process, { env } from 'node:process'
import { validate } from '@actions/languageservice'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import manifest from '../../package.json' with { type: 'json' }
import { releasesIn } from '../support/run/documents.ts'
import { newFolder } from '../support/run/new-folder.ts'

type Step = { uses?: string; run?: string }
type Job = { permissions?: Record<string, string>; needs?: string; if?: string; steps: Step[] }

const text = await readFile('.github/workflows/ci.yml', 'utf8')
const { jobs, permissions } = parse(text) as { jobs: Record<string, Job>; permissions: Record<string, string> }
const [latest = { version: '', changes: '' }] = releasesIn(await readFile('CHANGELOG.md', 'utf8'))

async function faultsOf(workflow: string): Promise<string[]> {
  // The linter keeps what it has read, by its address.
  const document = { uri: `file:///${randomUUID()}.yml`, getText: () => workflow } as Parameters<typeof validate>[0]
  return (await validate(document)).map(({ message }) => String(message))
}

it('the linter accepts the workflow', async () => {
  expect(await faultsOf(text)).toEqual([])
})

it.each([
  ['runs-on:', 'run-on:', /run-on/],
  ['needs: gate', 'needs: gates', /gates/],
  ['packages: write', 'pakages: write', /pakages/],
  ['github.token', 'gitub.token', /gitub/],
  ['with: { fetch-depth: 0 }', 'with: [0]', /sequence/],
])('the linter finds what is wrong: %s as %s', async (right, wrong, fault) => {
  expect(text).toContain(right)
  expect((await faultsOf(text.replace(right, wrong))).join('\n')).toMatch(fault)
})

it('only a tag publishes, only after the gate, and each job has no more rights than it needs', () => {
  expect(permissions).toEqual({ contents: 'read' })
  expect(jobs.gate?.permissions).toBeUndefined()
  expect(text).toContain(`image: "node:${manifest.dependencies.node}-bookworm"`)
  expect(jobs.gate?.steps.at(-1)?.run).toContain('.ci/run')
  expect(jobs.image).toMatchObject({ needs: 'gate', if: "github.ref_type == 'tag'" })
  expect(jobs.image?.permissions).toEqual({ contents: 'read', packages: 'write' })
  expect(jobs.release?.needs).toBe('image')
  const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []))
  expect(used.filter(name => !/@[0-9a-f]{40}$/.test(name))).toEqual([])
})

it('the commands push an image for each machine, join them under three tags, and publish the text of the version', async () => {
  const folder = newFolder()
  const said = join(folder, 'said')
  for (const name of ['docker', 'gh']) {
    await writeFile(join(folder, name), `#!/bin/sh\necho "${name} $*" >> ${said}\n`)
    await chmod(join(folder, name), 0o755)
  }
  const given = {
    ...{
      PATH: `${folder}:${env.PATH}`,
      RUNNER_TEMP: folder,
      GITHUB_REPOSITORY: 'Backlot/backlot',
      GITHUB_ACTOR: 'ann',
    },
    ...{ GITHUB_REF_NAME: `v${latest.version}`, TOKEN: 'secret', GH_TOKEN: 'secret', MACHINE: 'arm64' },
  }
  const runs = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))
  for (const run of runs.filter(run => !run.includes('.ci/run')))
    await execa('bash', ['-eo', 'pipefail', '-c', run], { env: given, extendEnv: false })

  const image = `ghcr.io/backlot/backlot:${latest.version}`
  const commands = await readFile(said, 'utf8')
  expect(commands).toContain(`docker push ${image}-arm64\n`)
  const tags = [latest.version, latest.version.replace(/\.\d+$/, ''), 'latest'].map(
    tag => `--tag ghcr.io/backlot/backlot:${tag}`,
  )
  expect(commands).toContain(`imagetools create ${tags.join(' ')} ${image}-amd64 ${image}-arm64\n`)
  expect(commands).toContain(`gh release create v${latest.version} --verify-tag`)
  expect(commands).not.toContain('secret')
  expect((await readFile(join(folder, 'notes.md'), 'utf8')).trim()).toBe(latest.changes)
  const [check = ''] = runs
  const other = execa('bash', ['-ec', check], { env: { ...given, GITHUB_REF_NAME: 'v0.0.1' }, extendEnv: false })
  await expect(other).rejects.toThrow('exit code 1')
})

it('the project has one address and one image, which every file names', async () => {
  const [owner = ''] = /[\w-]+\/[\w-]+$/.exec(manifest.repository) ?? []
  const files = ['Dockerfile', 'compose.yaml', 'README.md', ...globSync('docs/**/*.{md,yaml,xml}')]
  const texts = await Promise.all(files.map(async path => await readFile(path, 'utf8')))
  const named = texts.flatMap((text, at) =>
    [...text.matchAll(/(?:ghcr\.io|github\.com|githubusercontent\.com)\/([\w-]+\/backlot)\b/g)].map(([, name]) => [
      files[at],
      name,
    ]),
  )
  expect(new Set(named.map(([path]) => path)).size).toBeGreaterThan(5)
  expect(named.filter(([, name]) => name !== owner)).toEqual([])
  const description = /image\.description="([^"]*)"/.exec(texts[0] ?? '')?.[1]
  expect(description).toBe(manifest.description)
})

it('npm version closes the section of the changelog, commits and tags; with nothing to release it changes nothing', async () => {
  const folder = newFolder()
  const git = (...args: string[]) => execa('git', args, { cwd: folder })
  const paths = ['package.json', 'package-lock.json', 'CHANGELOG.md', 'test/release/close.ts', 'docs/nas/truenas']
  for (const path of paths) await execa('cp', ['-r', '--parents', path, folder])
  await git('init', '--quiet')
  for (const [name, value] of [
    ['user.name', 'ann'],
    ['user.email', 'ann@example.org'],
  ] as const)
    await git('config', name, value)
  await git('add', '.')
  await git('commit', '--quiet', '-m', 'Begin')
  const release = () =>
    execa('npm', ['version', 'minor', '--no-update-notifier'], {
      cwd: folder,
      env: { PATH: `${process.cwd()}/node_modules/.bin:${env.PATH}` },
      reject: false,
      all: true,
    })
  const read = () => readFile(join(folder, 'CHANGELOG.md'), 'utf8')
  const before = await read()
  const [, unreleased = ''] = /## Unreleased\n(.*?)\n## /s.exec(before) ?? []

  const version = manifest.version.replace(/(\d+)\.\d+$/, (_, minor) => `${Number(minor) + 1}.0`)
  expect((await release()).all).toContain(`v${version}`)
  const [closed, previous] = releasesIn(await read())
  expect([closed, previous?.version]).toEqual([{ version, changes: unreleased.trim() }, manifest.version])
  expect(await read()).toMatch(/^## Unreleased\n\n## \d/m)
  expect((await git('status', '--porcelain')).stdout).toBe('')
  const named = (await git('grep', '-ho', `\\b${version}\\b`, '--', 'docs/nas/truenas')).stdout
  expect(named).toBe(`${version}\n${version}`)
  expect((await git('show', `v${version}:CHANGELOG.md`)).stdout).toBe((await read()).trimEnd())

  const again = await release()
  expect([again.exitCode, again.all]).toEqual([
    1,
    expect.stringContaining('CHANGELOG.md has nothing below "Unreleased"'),
  ])
  expect((await git('status', '--porcelain')).stdout).toBe('')
})
