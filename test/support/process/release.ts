/** As another checkout: what an earlier release was, from the history of this repository. */
import { mkdir, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { execa } from 'execa'

/** The commits of the releases that CHANGELOG names. Add a line with each release. */
export const releases = { '0.1.0': '5eda67c0461eaf2ec1a85598de28076bec363e47' }

/** Its code with the packages of this version, which has all that it needs; `undefined`: this checkout has no history. */
export async function checkoutOf(release: keyof typeof releases, folder: string): Promise<string | undefined> {
  const place = join(folder, release)
  await mkdir(place)
  const parts = ['src', 'jobs', 'static', 'migrations', 'package.json']
  const archive = await execa('git', ['archive', releases[release], ...parts], { reject: false, encoding: 'buffer' })
  if (archive.exitCode !== 0) return undefined
  await execa('tar', ['-x', '-C', place], { input: archive.stdout })
  await symlink(resolve('node_modules'), join(place, 'node_modules'))
  return place
}
