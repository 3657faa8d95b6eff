/** As another checkout: what an earlier release was, from the history of this repository. */
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { execa } from 'execa'
import { releasesIn } from '../run/documents.ts'

/** The release from before there were tags. */
const without_tag: Record<string, string> = { '0.1.0': '5eda67c0461eaf2ec1a85598de28076bec363e47' }
const commitOf = (version: string): string => without_tag[version] ?? `v${version}`

const [newest = '', ...earlier] = releasesIn(await readFile('CHANGELOG.md', 'utf8')).map(({ version }) => version)
const { exitCode } = await execa('git', ['rev-parse', '--verify', '--quiet', commitOf(newest)], { reject: false })

/** The releases that CHANGELOG names. The newest one is written before it has its tag. */
export const releases = exitCode === 0 ? [newest, ...earlier] : earlier

/** Its code with the packages of this version, which has all that it needs; `undefined`: this checkout does not have the release. */
export async function checkoutOf(release: string, folder: string): Promise<string | undefined> {
  const place = join(folder, release)
  await mkdir(place)
  const parts = ['src', 'jobs', 'static', 'migrations', 'package.json']
  const archive = await execa('git', ['archive', commitOf(release), ...parts], { reject: false, encoding: 'buffer' })
  if (archive.exitCode !== 0) return undefined
  await execa('tar', ['-x', '-C', place], { input: archive.stdout })
  await symlink(resolve('node_modules'), join(place, 'node_modules'))
  return place
}
