/**
 * `npm run image`: builds the image as the Dockerfile says, without a container engine, prints its layers, and runs it: as a user without a
 * name and without any capability, as root that becomes PUID:PGID, and each role with its health check. Then it notes the inputs of the
 * image in `inputs.sha256`. Needs root, buildah and debootstrap. `--is-due`: only says whether the inputs differ from those noted, yes or
 * no.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process, { argv, env } from 'node:process'
import { execa } from 'execa'
import { buildImage, type Image } from './build.ts'
import { endContainers } from './container.ts'
import { digestOfInputs, hasChanged, recordInputs } from './inputs.ts'
import { showCompose } from './nas.ts'
import { showRoles, showRoot, showUser } from './shows.ts'

const programs = ['buildah', 'debootstrap', 'docker-compose', 'unshare', 'nsenter', 'setpriv']

async function main(): Promise<void> {
  if (argv.includes('--is-due')) return console.log((await hasChanged()) ? 'yes' : 'no')
  await requirePrograms()
  // What runs then fails, and everything is removed as after any fault.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, endContainers)
  const digest = await digestOfInputs()
  const folder = await mkdtemp(join(tmpdir(), 'backlot-image-'))
  const image = await buildImage(folder).catch(async fault => {
    await remove(folder)
    throw fault
  })
  try {
    console.table(image.layers)
    await show(image, folder)
  } finally {
    endContainers()
    await image.remove()
    await remove(folder)
  }
  await recordInputs(digest)
}

async function requirePrograms(): Promise<void> {
  const PATH = `${env.PATH}:/usr/sbin:/sbin`
  env.PATH = PATH
  const found = await Promise.all(programs.map(name => execa('which', [name], { reject: false, env: { PATH } })))
  const missing = programs.filter((_, at) => found[at]?.exitCode !== 0)
  if (process.getuid?.() !== 0) throw new Error('The image is built and run by root. Run this as root, on Debian.')
  if (missing.length > 0)
    throw new Error(
      `${missing.join(' and ')} is missing: apt-get install buildah debootstrap docker-compose util-linux`,
    )
}

async function show(image: Image, folder: string): Promise<void> {
  for (const part of [showUser, showRoot, showRoles, showCompose]) {
    const began = performance.now()
    const said = await part(image, join(folder, 'volumes'))
    console.log(`${said} (${((performance.now() - began) / 1000).toFixed(0)} s)`)
  }
}

/** The storage of buildah has folders that are mounted until its containers are gone. */
const remove = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 3 })

await main().catch((fault: unknown) => {
  console.error(fault instanceof Error ? fault.message : fault)
  process.exitCode = 1
})
