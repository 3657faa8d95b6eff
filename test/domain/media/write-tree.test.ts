/** A large tree is written by several jobs, and a stopping worker leaves the rest to the next one. */
import { expect, it } from 'vitest'
import { giveNumbers } from '../../../src/domain/media/numbers.ts'
import { pathOf } from '../../../src/domain/media/video-paths.ts'
import { type TreeParts, writeEpisodes } from '../../../src/domain/media/write-tree.ts'
import { templateOf } from '../../../src/schema/values/media-names.ts'
import { type MediaTree, mediaTree } from '../../../src/store/media-tree.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'
import { runDownload } from '../../support/app/files.ts'
import { bin, personWithKitchen, useMedia } from '../../support/app/media.ts'

const db = useDatabase()
const { sql } = db
const media = useMedia(db)

/** A person with an empty tree, and five videos that belong into it. `write` adds at most this many. */
async function personWithVideos() {
  const ids = ['v1', 'v2', 'v3', 'v4', 'v5']
  const alice = await personWithKitchen(sql, 'alice', ids)
  await media.update(alice)
  for (const id of ids) await runDownload(media.files, alice, id)
  const { library } = alice
  const { media: notes } = library
  await notes.giveNumbers(await notes.unnumbered(9), giveNumbers)
  await notes.giveNames(null, 9, (video, nth) => pathOf(templateOf(null), video, nth))
  const tree = mediaTree(media.media_dir, alice.user.username)
  const write = async (most: number, more: Partial<TreeParts> = {}) => {
    const parts = {
      library,
      files: media.files,
      bin,
      tree,
      template: templateOf(null),
      log: silent,
      signal: new AbortController().signal,
      toJpeg: async () => undefined,
      everyone: sql,
      ...more,
    }
    return writeEpisodes(parts, (await tree.stamp()) ?? '', most)
  }
  const present = async () => (await notes.present((await tree.stamp()) ?? '')).map(({ video_id }) => video_id)
  return { alice, tree, write, present }
}

it('a job writes a part of a large tree and says that there is more, until all is written', async () => {
  const { write, present } = await personWithVideos()
  expect([await write(2), await present()]).toEqual(['more', ['v1', 'v2']])
  expect([await write(2), await present()]).toEqual(['more', ['v1', 'v2', 'v3', 'v4']])
  expect([await write(2), await present()]).toEqual(['done', ['v1', 'v2', 'v3', 'v4', 'v5']])
})

it('videos that cannot be written do not keep the others from being written, and do not count as more', async () => {
  const { tree, write, present } = await personWithVideos()
  const link: MediaTree['link'] = (file, ...place) =>
    /v[123]\.mp4$/.test(file) ? Promise.reject(new Error('read-only')) : tree.link(file, ...place)
  expect([await write(2, { tree: { ...tree, link } }), await present()]).toEqual(['more', ['v4', 'v5']])
  expect(await write(2, { tree: { ...tree, link } })).toBe('done')
})

it('a worker that stops in the middle notes what it has written, and the next one continues', async () => {
  const { alice, tree, write, present } = await personWithVideos()
  const stopping = new AbortController()
  const links: string[] = []
  const link: MediaTree['link'] = async (file, ...place) => {
    await tree.link(file, ...place)
    links.push(file.slice(-6))
    if (links.length === 2) stopping.abort(new Error('stopping'))
  }
  await expect(write(9, { tree: { ...tree, link }, signal: stopping.signal })).rejects.toThrow('stopping')
  expect([links, await present()]).toEqual([
    ['v1.mp4', 'v2.mp4'],
    ['v1', 'v2'],
  ])

  await media.update(alice)
  expect(await present()).toHaveLength(5)
})
