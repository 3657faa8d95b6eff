/**
 * Builds the image with the Dockerfile as it is. debootstrap makes the two bases that it names, because no registry of images may be
 * reachable: a bare Debian, and the same with the pinned Node and the npm of this machine.
 */
import { access, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { env } from 'node:process'
import { execa, type Options } from 'execa'
import { systemMirror } from '../../src/ytdlp/tools/apt.ts'

export type Image = {
  /** The mounted root file system. */
  root: string
  config: { Env: string[]; Entrypoint: string[]; Cmd: string[]; User: string; Healthcheck: { Test: string[] } }
  layers: { megabytes: number; made_by: string }[]
  remove(): Promise<void>
}

type Buildah = (args: string[], options?: Options) => Promise<string>

export async function buildImage(folder: string): Promise<Image> {
  const buildah = buildahIn(folder)
  console.log('Making the bases ...')
  await makeBases(buildah, join(folder, 'base'))
  console.log('Building the image ...')
  const bases = [`PACKAGES=${names.packages}`, `BASE=${names.base}`].flatMap(base => ['--build-arg', base])
  // With the default format, HEALTHCHECK is lost.
  const how = ['--pull-never', '--network', 'host', '--format', 'docker', '--layers']
  await buildah(['bud', ...how, ...bases, '-t', names.image, '.'], { stdout: 'ignore' })
  const container = await buildah(['from', '--pull-never', names.image])
  const described = JSON.parse(await buildah(['inspect', '--type', 'image', names.image]))
  const root = await buildah(['mount', container])
  await writeFile(join(root, 'etc/apt/apt.conf.d/machine'), await aptSettings())
  return {
    root,
    config: described.Docker.config,
    layers: layersOf(described),
    async remove() {
      await buildah(['umount', container])
      await buildah(['rm', '--all'])
      await buildah(['rmi', '--all', '--force'])
    },
  }
}

const names = { base: 'localhost/debian', packages: 'localhost/node', image: 'localhost/backlot' }

/** A storage of its own, so that images of this machine are neither used nor changed. */
const buildahIn =
  (folder: string): Buildah =>
  async (args, options = {}) => {
    const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')]
    const ran = await execa('buildah', [...storage, ...args], {
      stdin: 'ignore',
      ...options,
      env: { BUILDAH_ISOLATION: 'chroot' },
    })
    return String(ran.stdout ?? '').trim()
  }

async function makeBases(buildah: Buildah, root: string): Promise<void> {
  const mirror = (await systemMirror()) ?? 'http://deb.debian.org/debian'
  await execa('debootstrap', ['--variant=minbase', 'trixie', root, mirror], { stdout: 'ignore' })
  await writeFile(join(root, 'etc/dpkg/dpkg.cfg.d/docker'), slim)
  await execa('sh', ['-ec', trim], { cwd: root })
  const base = await buildah(['from', 'scratch'])
  await buildah(['add', '--quiet', base, root, '/'])
  await buildah(['config', '--env', `PATH=${path}`, '--cmd', 'bash', base])
  await buildah(['commit', '--quiet', '--rm', base, names.base])
  await rm(root, { recursive: true, force: true })

  const packages = await buildah(['from', '--pull-never', names.base])
  await buildah(['copy', '--quiet', packages, resolve('node_modules/node/bin/node'), '/usr/local/bin/node'])
  await buildah(['copy', '--quiet', packages, await npmFolder(), '/usr/local/lib/node_modules/npm'])
  await buildah(['run', packages, '--', 'ln', '-s', '../lib/node_modules/npm/bin/npm-cli.js', '/usr/local/bin/npm'])
  // A machine may reach the registry only through a proxy. These do not get into the last stage.
  const certificates = env.NODE_EXTRA_CA_CERTS
  const there = '/usr/local/share/machine.crt'
  if (certificates) {
    await buildah(['copy', '--quiet', packages, certificates, there])
    await buildah(['config', '--env', `NODE_EXTRA_CA_CERTS=${there}`, packages])
  }
  const registry = env.npm_config_registry
  if (registry) await buildah(['config', '--env', `npm_config_registry=${registry}`, packages])
  await buildah(['commit', '--quiet', '--rm', packages, names.packages])
}

const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** What Debian's own slim image leaves out. */
const slim = ['doc', 'man', 'groff', 'info', 'lintian', 'linda', 'locale']
  .map(name => `path-exclude /usr/share/${name}/*\n`)
  .concat('path-include /usr/share/doc/*/copyright\n')
  .join('')

const trim = `
  find usr/share/doc \\( -type f -o -type l \\) ! -name copyright -delete
  rm -rf usr/share/man/* usr/share/groff usr/share/info usr/share/lintian usr/share/linda usr/share/locale/*
  rm -rf var/cache/apt/* var/lib/apt/lists/* var/log/* var/cache/debconf/*-old
  : > etc/resolv.conf
  : > etc/hosts
  : > etc/hostname`

/** How this machine reaches its mirror of Debian, from which the running service fetches yt-dlp. They are not in the image. */
async function aptSettings(): Promise<string> {
  const { stdout } = await execa('apt-config', ['dump', 'Acquire'])
  const needed = /^Acquire::(https?::Proxy|Check-Date|Check-Valid-Until)\b/i
  const lines = stdout.split('\n').filter(line => needed.test(line))
  return lines.map(line => `${line}\n`).join('')
}

/** npm is the one program that a machine needs for this project. */
async function npmFolder(): Promise<string> {
  const { stdout } = await execa('npm', ['root', '--global'])
  const folder = join(stdout.trim(), 'npm')
  const found = await access(folder).then(
    () => true,
    () => false,
  )
  if (found) return folder
  const program = (await execa('which', ['npm'])).stdout
  return dirname(dirname(await realpath(program)))
}

type Described = {
  Docker: { history: { created_by: string; empty_layer?: boolean }[] }
  Manifest: string
}

function layersOf({ Docker, Manifest }: Described): Image['layers'] {
  const { layers } = JSON.parse(Manifest) as { layers: { size: number }[] }
  const steps = Docker.history.filter(({ empty_layer }) => !empty_layer)
  const named = steps.map(({ created_by }, at) => ({
    megabytes: Math.round((layers[at]?.size ?? 0) / 1e5) / 10,
    made_by: at === 0 ? 'Debian' : created_by.replace(/^\/bin\/sh -c (#\(nop\) )?/, '').slice(0, 60),
  }))
  const megabytes = Math.round(layers.reduce((sum, { size }) => sum + size, 0) / 1e6)
  return [...named, { megabytes, made_by: 'in all' }]
}
