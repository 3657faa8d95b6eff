/** In its own process: Caddy in front of a service, configured by a recipe of the guides. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { execa } from 'execa'
import { vi } from 'vitest'
import { blocksOf } from '../run/documents.ts'
import { newFolder } from '../run/new-folder.ts'
import { askAt } from './nginx.ts'

export const caddy_is_here = await execa('caddy', ['version']).then(
  () => true,
  () => false,
)

/** The recipe that contains these words. */
export const caddyRecipe = async (words: string): Promise<string> =>
  (await blocksOf('caddy')).find(text => text.includes(words)) ?? ''

/** It keeps nothing outside of this folder. */
const programIn = (folder: string) => ({
  env: { ...env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
})

/** Call it in a test. Throws what Caddy finds wrong. */
export async function validateCaddyfile(text: string): Promise<void> {
  const folder = newFolder()
  await writeFile(join(folder, 'Caddyfile'), text)
  const args = ['--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
  await execa('caddy', ['validate', ...args], programIn(folder))
}

/** `recipe`: a site. It is served without TLS, on a socket in a folder of its own. `options`: the recipe for global options. */
export async function startCaddy(recipe: string, options = '{\n}') {
  const folder = await mkdtemp(join(tmpdir(), 'backlot-caddy-'))
  const socketPath = join(folder, 'socket')
  const site = recipe.replace(/^\S+ \{/, `http:// {\n  bind unix/${socketPath}`)
  await writeFile(join(folder, 'Caddyfile'), `${options.replace('{', '{\n  admin off')}\n${site}`)
  const caddy = execa(
    'caddy',
    ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
    programIn(folder),
  )
  caddy.catch(() => {})
  const said: string[] = []
  caddy.stderr?.on('data', text => said.push(String(text)))
  const ask = askAt(socketPath)
  const stop = async () => {
    caddy.kill('SIGTERM')
    await caddy.catch(() => {})
    await rm(folder, { recursive: true, force: true })
  }
  try {
    // Caddy that ends before it answers rejects with what it said.
    await Promise.race([vi.waitFor(() => ask('/'), { timeout: 20_000 }), caddy])
  } catch (fault) {
    await stop()
    throw fault
  }
  /** All that it has written so far. */
  return { ask, stop, said: () => said.join('') }
}
