/** Checks that no file outside the downloads folder is read or deleted, and that each person gets only their own files. */
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import { placeOf } from '../../src/store/paths.ts'
import { useApp, withPeople } from '../support/app/app.ts'
import { follows, has, type Person, person } from '../support/app/people.ts'
import { exists } from '../support/run/made-once.ts'
import { newFolder } from '../support/run/new-folder.ts'

const app = useApp()
const { ask, sql, textAt } = app
const it = withPeople(app)

async function owns(owner: Person, video_id: string, text: string): Promise<string> {
  await follows(owner, 'kitchen', [video_id])
  const download_path = placeOf({ user_id: owner.user.user_id, channel_id: 'kitchen', video_id })
  await mkdir(dirname(join(app.folder, download_path)), { recursive: true })
  await writeFile(join(app.folder, download_path), text)
  await has(owner, video_id, download_path, text.length)
  return download_path
}

/** Path traversals as public collections list them: every spelling of dots and slashes, at several depths. */
const ways_up = ['..', '.%2e', '%252e%252e', '..%00', '%c0%ae%c0%ae', '%e0%80%ae.', '．．', '..;', '....', '.%00.']
const slashes = ['%2f', '%5c', '%252f', '%c0%af', '%ef%bc%8f', '\\', '%2f%2f']
const wanted = ['etc%2fpasswd', 'etc%2fhostname%00.mp4', 'package.json']
/** Every spelling at every depth. The wanted files take turns, so that each is at the end of every dot, slash and depth. */
const traversals = ways_up.flatMap((up, u) =>
  slashes.flatMap((slash, s) =>
    [1, 2, 5].map((depth, d) => `${(up + slash).repeat(depth)}${wanted[(u + s + d) % wanted.length]}`),
  ),
)

describe('path traversal', () => {
  it.each(['/stream/:id', '/download/:id', '/watch/:id', '/stream/v1/subtitles/:id', '/static/:id', '/channels/:id'])(
    'an identifier with a path traversal finds nothing at %s',
    async route => {
      const alice = await person(sql, 'alice')
      await owns(alice, 'v1', 'her video')
      for (const traversal of traversals) {
        const answer = await ask(route.replace(':id', traversal), { as: alice })
        expect([400, 404], `${traversal}: ${answer.status}`).toContain(answer.status)
        expect(await answer.text()).not.toMatch(/root:|"dependencies"/)
      }
    },
  )
})

describe('a stored path outside the downloads folder', () => {
  /** A folder that is not ours, with something in it. */
  async function outside(): Promise<string> {
    const folder = newFolder()
    await writeFile(join(folder, 'v1.mp4'), 'not ours')
    await writeFile(join(folder, 'v1.en.vtt'), 'not ours')
    return folder
  }

  it.each([
    ['a path changed by hand', async (folder: string) => join('..', '..', '..', folder, 'v1.mp4')],
    ['an absolute path', async (folder: string) => join(folder, 'v1.mp4')],
    [
      'a linked file',
      async (folder: string, path: string) => {
        await rm(join(app.folder, path))
        await symlink(join(folder, 'v1.mp4'), join(app.folder, path))
        return path
      },
    ],
    [
      'a linked folder',
      async (folder: string, path: string) => {
        await rm(dirname(join(app.folder, path)), { recursive: true })
        await symlink(folder, dirname(join(app.folder, path)))
        return path
      },
    ],
  ])('a file outside the downloads folder cannot be watched, saved or deleted by %s', async (_, lead) => {
    const [alice, folder] = [await person(sql, 'alice'), await outside()]
    const path = await lead(folder, await owns(alice, 'v1', 'her video'))
    const point = () => sql`
      update video_entries set download_status = 'COMPLETED', download_path = ${path}, file_size = 8
      where  user_id = ${alice.user.user_id}`

    for (const [method, address] of [
      ['GET', '/stream/v1'],
      ['GET', '/download/v1'],
      ['GET', '/stream/v1/subtitles/en'],
      ['DELETE', '/api/download/v1'],
      ['DELETE', '/api/channels/kitchen'],
    ] as const) {
      await point()
      const answer = await ask(address, { as: alice, method })
      expect(await answer.text(), address).not.toContain('not ours')
    }

    expect(await readFile(join(folder, 'v1.mp4'), 'utf8')).toBe('not ours')
    expect(await readFile(join(folder, 'v1.en.vtt'), 'utf8')).toBe('not ours')
  })
})

describe('one video of two people', () => {
  it('two people with the same video have a file each, and one may delete theirs', async ({ alice, bob }) => {
    const [hers, his] = [await owns(alice, 'v1', 'her video'), await owns(bob, 'v1', 'his video')]

    expect(await textAt('/stream/v1', { as: bob })).toBe('his video')
    await ask('/api/download/v1', { as: alice, method: 'DELETE' })

    expect(await exists(join(app.folder, hers))).toBe(false)
    expect((await ask('/stream/v1', { as: alice })).status).toBe(404)
    expect(await exists(join(app.folder, his))).toBe(true)
    expect(await textAt('/stream/v1', { as: bob })).toBe('his video')
  })

  it('bob cannot watch a video that only alice has downloaded', async ({ alice, bob }) => {
    await owns(alice, 'v1', 'her video')
    await follows(bob, 'kitchen', ['v1'])

    for (const path of ['/stream/v1', '/download/v1']) expect((await ask(path, { as: bob })).status).toBe(404)
    expect(await bob.library.videos.find('v1')).toMatchObject({ download_status: 'pending', download_path: null })
  })
})

describe('the headers of a video', () => {
  it('a video may not be embedded by other sites, sniffed, or kept by shared caches', async ({ alice }) => {
    await owns(alice, 'v1', '<script>alert(1)</script>')
    for (const path of ['/stream/v1', '/download/v1']) {
      const { headers } = await ask(path, { as: alice })
      expect(headers.get('content-type')).toBe('video/mp4')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('cache-control')).toMatch(/^private/)
    }
    expect((await ask('/download/v1', { as: alice })).headers.get('content-disposition')).toMatch(/^attachment;/)
  })
})
