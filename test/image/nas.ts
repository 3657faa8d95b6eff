/** What `npm run image` shows of compose.yaml: the first `up` on a NAS, whose owner has a few lines in .env and made no folder. */
import { strict as assert } from 'node:assert'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openMediaServer } from '../support/media/media.ts'
import { mountsOf, readCompose, type Service } from '../support/process/compose.ts'
import { publishFeed } from '../support/process/journey.ts'
import type { Image } from './build.ts'
import { fetchVideo, makeVolume, start } from './shows.ts'

const owner = { uid: 1026, gid: 100 }

/** `folder`: in which `showUser` has left a film. */
export async function showCompose(image: Image, folder: string): Promise<string> {
  const nas = join(folder, 'nas')
  const films = join(nas, 'films')
  await mkdir(nas)
  const dotenv = `FILMS=${films}\nPUID=${owner.uid}\nPGID=${owner.gid}\nUMASK=027\nALLOWED_ADDRESSES=127.0.0.1\n`
  const { backlot } = await readCompose(['docker-compose'], { folder: nas, dotenv })
  assert(backlot)
  const service = await up(image, backlot, nas)
  const media = await openMediaServer()
  try {
    media.publish('/plain.mp4', await readFile(join(folder, 'data', 'film.mp4')), 'video/mp4')
    await fetchVideo(service.url, publishFeed(media, { 'How to bake': '/plain.mp4' }))
    const [link] = await filmsIn(join(films, 'media'), 120)
    const [film] = await filmsIn(join(films, 'downloads'), 0)
    assert(link && film)
    assert.equal((await stat(link)).ino, (await stat(film)).ino)
    // The folder that Docker made still belongs to root. A media server in the group reads what is in it.
    assert.deepEqual(await rightsOf(films), { uid: 0, gid: 0, mode: 0o755 })
    for (const path of [film, link]) assert.deepEqual(await rightsOf(path), { ...owner, mode: 0o640 })
    // The first folder may be passed through by others, as before the service tightened it.
    for (let path = join(link, '..'); path !== films; path = join(path, '..')) {
      const mode = path === join(films, 'media') ? 0o751 : 0o750
      assert.deepEqual([path, await rightsOf(path)], [path, { ...owner, mode }])
    }
    const refused = await service.run(['touch', '/app/file'])
    assert.match(refused.said, /Read-only file system/)
    assert.equal(await service.stop(), 0)
  } finally {
    await media.close()
  }
  return 'compose.yaml: its first start makes the folders; the film and its hard link belong to PUID:PGID, and the group can read them.'
}

/** As Docker does it: a missing folder of the host is made by root, and a variable without a value is taken out of the image's. */
async function up(image: Image, { environment = {}, cap_add = [], user, ...service }: Service, folder: string) {
  assert.deepEqual([user, service.read_only, service.cap_drop], [undefined, true, ['ALL']])
  const volumes: Record<string, string> = {}
  for (const [place, source] of Object.entries(mountsOf(service as Service))) {
    volumes[place] = source.startsWith('/') ? source : join(folder, source)
    if (source.startsWith('/')) await mkdir(source)
    else await makeVolume(image, place, volumes[place])
  }
  const absent = Object.keys(environment).filter(name => environment[name] === null)
  const Env = image.config.Env.filter(pair => !absent.includes(pair.split('=')[0] ?? ''))
  const env = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
  )
  const root = { uid: 0, gid: 0, capabilities: cap_add.map(name => name.toLowerCase()) }
  return start({ ...image, config: { ...image.config, Env } }, volumes, { user: root, env })
}

/** Waits for the first film, half a second each try. */
async function filmsIn(folder: string, tries: number): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  const films = names.filter(name => name.endsWith('.mp4')).map(name => join(folder, name))
  if (films.length > 0 || tries === 0) return films
  await setTimeout(500)
  return filmsIn(folder, tries - 1)
}

async function rightsOf(path: string) {
  const { uid, gid, mode } = await stat(path)
  return { uid, gid, mode: mode & 0o777 }
}
