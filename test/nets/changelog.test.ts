/** Checks that the changelog, the version and the tags agree. A tag closes the section of its release. */
import { readFile } from 'node:fs/promises'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { releasesIn } from '../support/run/documents.ts'

const changelog = await readFile('CHANGELOG.md', 'utf8')
const releases = releasesIn(changelog)

it('begins with what is not released, and then has the version of package.json', async () => {
  expect(changelog.match(/^## .*$/m)?.[0]).toBe('## Unreleased')
  expect(releases[0]?.version).toBe(manifest.version)
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8'))
  expect([lock.version, lock.packages[''].version]).toEqual([manifest.version, manifest.version])
  expect(releases.filter(({ changes }) => changes === '')).toEqual([])
})

it.each(releases)('nothing is added to $version once it is tagged', async ({ version, changes }) => {
  const tagged = await execa('git', ['show', `v${version}:CHANGELOG.md`], { reject: false })
  if (tagged.exitCode !== 0) return expect(changes).not.toBe('')
  expect(releasesIn(tagged.stdout).find(release => release.version === version)?.changes).toBe(changes)
})
