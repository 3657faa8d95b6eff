/** What `npm run image` shows of the running image. Each function throws what is wrong, and returns a sentence for what is right. */
import { strict as assert } from 'node:assert'
import { chmod, chown, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { execa } from 'execa'
import { openMediaServer } from '../support/media/media.ts'
import { client, followAndRequest, publishFeed, register, type Status, signIn } from '../support/process/journey.ts'
import type { Image } from './build.ts'
import { type Container, startContainer } from './container.ts'

/** A user id that the image has no name for, as on a NAS. */
const stranger = { uid: 4242, gid: 4343 }
const person = 'keeper'

export async function showUser(image: Image, folder: string): Promise<string> {
  for (const name of ['data', 'downloads']) await makeVolume(image, `/${name}`, join(folder, name))
  const media = await openMediaServer()
  try {
    const service = await start(image, placed(folder), { user: stranger })
    media.publish('/plain.mp4', await makeFilm(service, folder), 'video/mp4')
    await fetchVideo(service.url, publishFeed(media, { 'How to bake': '/plain.mp4' }))
    // Without its program, yt-dlp would still run, but slowly.
    const parent = await service.run(['sh', '-c', 'grep -q "warm-server[.]py" /proc/[0-9]*/cmdline'])
    assert.equal(parent.code, 0, 'no parent of yt-dlp runs')
    const films = (await readdir(join(folder, 'downloads'), { recursive: true })).filter(name => name.endsWith('.mp4'))
    const probed = await service.run([
      'ffprobe',
      '-v',
      'error',
      '-show_entries',
      'format=format_name',
      `/downloads/${films[0]}`,
    ])
    assert.deepEqual([films.length, probed.code], [1, 0], probed.said)
    assert.match(probed.said, /mp4/)
    const refused = await service.run(['touch', '/app/file', '/usr/file', '/etc/file'])
    assert.match(refused.said, /(Read-only file system.*){3}/s)
    assert.equal(await service.stop(), 0)
  } finally {
    await media.close()
  }
  return 'A user without a name and without capabilities, on a read-only root: from an address to an MP4, and stopped with code 0.'
}

export async function showRoot(image: Image, folder: string): Promise<string> {
  const capabilities = ['chown', 'dac_override', 'kill', 'setgid', 'setuid']
  const user = { uid: 0, gid: 0, capabilities }
  const service = await start(image, placed(folder), { user, env: { PUID: '1026', PGID: '100' } })
  assert.equal((await signIn(client(service.url), person)).status, 303)
  const owners = await execa('find', [folder, '-mindepth', '1', '!', '(', '-uid', '1026', '-gid', '100', ')'])
  assert.equal(owners.stdout, '')
  const mine = await service.run(['sh', '-c', 'grep -h ^CapEff: $(grep -l "^Uid:.1026" /proc/[0-9]*/status)'])
  assert.match(mine.said, /^(CapEff:\t0{16}\s*){5,}$/)
  assert.equal(await service.stop(), 0)
  return 'Root with PUID and PGID: becomes that user, which has all files and no capability; the account is still there.'
}

export async function showRoles(image: Image, folder: string): Promise<string> {
  const user = { uid: 1026, gid: 100 }
  const migrate = await startContainer(image, { volumes: placed(folder), user, command: ['migrate'] })
  assert.equal(await migrate.ended, 0)
  const worker = await startContainer(image, { volumes: placed(folder), user, command: ['worker'] })
  await worker.until(/The worker is ready/)
  await untilWell(worker, image)
  assert.equal(await worker.stop(), 0)
  return 'migrate ends with code 0, and a worker is well.'
}

type Started = Container & { url: string }
type How = { user: Parameters<typeof startContainer>[1]['user']; env?: Record<string, string> }

/** As Docker makes a volume: with the owner and the permissions of the folder in the image. */
export async function makeVolume({ root }: Image, place: string, folder: string): Promise<void> {
  const { uid, gid, mode } = await stat(join(root, place))
  await mkdir(folder, { recursive: true })
  await chown(folder, uid, gid)
  await chmod(folder, mode & 0o7777)
}

export async function start(image: Image, volumes: Record<string, string>, { user, env }: How): Promise<Started> {
  const PORT = String(await freePort())
  const service = await startContainer(image, {
    volumes,
    user,
    env: { ALLOWED_ADDRESSES: '127.0.0.1', SPONSORBLOCK_URL: '', ...env, HOST: '127.0.0.1', PORT },
  })
  const line = await service.until(/Backlot is at http\S+/)
  await untilWell(service, image)
  return { ...service, url: /http\S+/.exec(line)?.[0] ?? '' }
}

const placed = (folder: string) => ({ '/data': join(folder, 'data'), '/downloads': join(folder, 'downloads') })

/** Asks by the HEALTHCHECK of the image until it says that the container is well, as an engine does. */
async function untilWell(container: Container, { config }: Image): Promise<void> {
  const [, ...check] = config.Healthcheck.Test
  for (let tries = 60; ; tries--) {
    const { code, said } = await container.run(check)
    if (code === 0) return
    if (tries === 0) throw new Error(`It is not well: ${said}`)
    await setTimeout(500)
  }
}

/** From a new account to the bytes of a file. The first download waits until yt-dlp is fetched. */
export async function fetchVideo(url: string, feed: string): Promise<void> {
  const ask = client(url)
  await register(ask, person)
  const [video_id] = await followAndRequest(ask, feed)
  for (let tries = 600; ; tries--) {
    const status = (await (await ask(`/api/download/status/${video_id}`)).json()) as Status
    if (status.download_status === 'completed') break
    if (tries === 0 || status.download_error) throw new Error(`The video did not arrive: ${JSON.stringify(status)}`)
    await setTimeout(500)
  }
  const part = await ask(`/stream/${video_id}`, { headers: { range: 'bytes=4-7' } })
  assert.deepEqual([part.status, await part.text()], [206, 'ftyp'])
}

/** Made by the ffmpeg of the image, which so shows that it encodes. It also makes and reads the other forms that the service meets. */
async function makeFilm(service: Container, folder: string): Promise<Buffer> {
  const ran = await service.run(['sh', '-ec', films])
  assert.equal(ran.code, 0, ran.said)
  return readFile(join(folder, 'data', 'film.mp4'))
}

const films = `
  cd /tmp
  make() { ffmpeg -nostdin -v error -y "$@"; }
  make -f lavfi -i testsrc=d=2:s=320x240:r=25 -f lavfi -i sine=d=2 -c:v libx264 -pix_fmt yuv420p -c:a aac -movflags +faststart film.mp4
  make -i film.mp4 -c:v libvpx-vp9 -cpu-used 8 -c:a libopus vp9.webm
  make -i film.mp4 -c:v libaom-av1 -cpu-used 8 -frames:v 5 -an av1.mkv
  for form in vp9.webm av1.mkv; do make -i $form -c:v libx264 -c:a aac h264.mp4; done
  make -i film.mp4 -frames:v 1 -c:v libwebp -preset photo picture.webp
  make -i picture.webp picture.jpg
  make -i film.mp4 -c copy -f hls -hls_segment_type fmp4 -hls_time 1 list.m3u8
  make -i film.mp4 -i film.mp4 -map 0:v -map 1:a -c copy merged.mp4
  mv film.mp4 /data`

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
