/**
 * `npm version` runs this first: what CHANGELOG.md has below "Unreleased" becomes the section of the new version, dated today, and the app
 * for TrueNAS names the new version.
 */
import { readFile, writeFile } from 'node:fs/promises'
import process from 'node:process'

const { npm_old_version: old = '', npm_new_version: version = '' } = process.env
const head = '## Unreleased\n'
const [before = '', after = ''] = (await readFile('CHANGELOG.md', 'utf8')).split(head)
if (/^\s*(## |$)/.test(after)) {
  console.error('CHANGELOG.md has nothing below "Unreleased". Write there what this version changes, and commit it.')
  process.exit(1)
}
const today = new Date().toISOString().slice(0, 10)
await writeFile('CHANGELOG.md', `${before}${head}\n## ${version} – ${today}\n${after}`)
for (const path of ['docs/nas/truenas/app.yaml', 'docs/nas/truenas/ix_values.yaml'])
  await writeFile(
    path,
    (await readFile(path, 'utf8')).replace(new RegExp(`(app_version: |tag: ")${old}`), `$1${version}`),
  )
