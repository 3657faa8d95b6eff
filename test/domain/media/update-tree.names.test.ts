/** A new template renames the whole tree, whenever a run dies, and no video is taken for deleted. */
import { rm, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { accountsIn } from '../../../src/db/account/accounts.ts'
import { removeForgottenTrees } from '../../../src/domain/media/person-trees.ts'
import { updateTree } from '../../../src/domain/media/update-tree.ts'
import { templateOf } from '../../../src/schema/values/media-names.ts'
import { mediaTree } from '../../../src/store/media-tree.ts'
import { silent } from '../../support/app/app.ts'
import { useDatabase } from '../../support/app/database.ts'
import { runDownload } from '../../support/app/files.ts'
import { bin, personWithKitchen, useMedia } from '../../support/app/media.ts'
import { entry, type Person } from '../../support/app/people.ts'

const db = useDatabase()
const { sql } = db
const media = useMedia(db)

const done = async ({ library }: Person) => (await library.videos.tally()).done
const choose = ({ library }: Person, media_names: string | null) => library.settings.save({ media_names })
/** The first run removes the files, the second one writes them again. */
const settle = async (of: Person, check?: 'check') => {
  for (const _ of [1, 2]) await media.update(of, check)
}

async function personWithTree(ids = ['v1', 'v2', 'v3'], name = 'alice') {
  const made = await personWithKitchen(sql, name, ids)
  for (const id of ids) await runDownload(media.files, made, id)
  await media.update(made)
  media.warnings.length = 0
  return made
}

const numbersOf = ({ user }: Person) => sql`
  select video_id, season, episode from media_episodes where user_id = ${user.user_id} order by video_id`

it('a new template renames every file, leaves no empty folder, and keeps the numbers; bob keeps his names', async () => {
  const [alice, bob] = [await personWithTree(), await personWithTree(['v1'], 'bob')]
  const [before, usual, his] = [await numbersOf(alice), await media.tree(alice), await media.tree(bob)]
  await choose(alice, 'Films/{group}/{channel} {season}/{date} {title}')

  await settle(alice, 'check')
  await settle(bob, 'check')

  const folder = 'Films/No group/Bread： Kitchen 2026'
  const names = ['v1', 'v2', 'v3'].flatMap(id =>
    ['mp4', 'nfo'].map(ending => `${folder}/2026-11-21 Bread ${id}？.${ending}`),
  )
  expect(await media.tree(alice)).toEqual(['.backlot.json', ...names])
  expect(await media.read(alice, `${folder}/2026-11-21 Bread v1？.nfo`)).toContain('<movie>')
  expect([await numbersOf(alice), await done(alice), media.warnings]).toEqual([before, 3, []])
  expect(await media.tree(bob)).toEqual(his)

  await choose(alice, null)
  await settle(alice, 'check')
  expect([await media.tree(alice), await done(alice)]).toEqual([usual, 3])
})

it('most files of a large tree get another name without the guard, and a deletion is noticed afterwards', async () => {
  const alice = await personWithTree(Array.from({ length: 25 }, (_, at) => `v${at + 1}`))
  await choose(alice, '{title}')
  await settle(alice, 'check')
  expect([await done(alice), media.warnings]).toEqual([25, []])

  await rm(media.path(alice, 'Bread v7？.mp4'))
  await media.update(alice, 'check')

  expect([await done(alice), (await media.tree(alice)).filter(name => name.includes('v7'))]).toEqual([24, []])
})

it('the folder of a show moves with its files, and a group that has the channel is its folder', async () => {
  const alice = await personWithTree(['v1'])
  const { group_id } = await alice.library.groups.create('Food & drink')
  await alice.library.groups.setChannels(group_id, ['kitchen'])
  await choose(alice, '{group}/{channel}/S{season}E{episode} {title}')

  await settle(alice)

  const folder = 'Food & drink/Bread： Kitchen'
  const files = ['S2026E112101 Bread v1？.mp4', 'S2026E112101 Bread v1？.nfo', 'tvshow.nfo']
  expect(await media.tree(alice)).toEqual(['.backlot.json', ...files.map(name => `${folder}/${name}`)])
})

it('two videos with one title have two names, and keep them when one is deleted', async () => {
  const alice = await personWithTree(['v1'])
  const same = ['x1', 'X1'].map(id => entry(id, { title: 'bread V1?', published_at: new Date('2026-11-22T12:00:00Z') }))
  await alice.library.channels.save(
    { channel_id: 'kitchen', title: 'Bread: Kitchen', rss_url: 'https://videos.example/kitchen' },
    same,
  )
  for (const id of ['x1', 'X1']) await runDownload(media.files, alice, id)
  await media.update(alice)
  await choose(alice, '{channel}/{title}')
  await settle(alice)

  const folder = 'Bread： Kitchen'
  const films = async () => (await media.tree(alice)).filter(name => name.endsWith('.mp4'))
  const names = [`${folder}/Bread v1？.mp4`, `${folder}/bread V1？ [X1].mp4`, `${folder}/bread V1？ [x1] (2).mp4`]
  expect((await films()).toSorted()).toEqual(names.toSorted())
  await rm(media.path(alice, names[0] ?? ''))
  await media.update(alice, 'check')
  expect((await films()).toSorted()).toEqual(names.slice(1).toSorted())
})

/** Runs the update, which dies when it changes the folder for the nth time, before or after the change. `false`: it did not die. */
async function dieAt({ library, user }: Person, nth: number, when: 'before' | 'after'): Promise<boolean> {
  const [stopping, tree] = [new AbortController(), mediaTree(media.media_dir, user.username)]
  let changes = 0
  const dying =
    <Of extends unknown[]>(act: (...of: Of) => Promise<void>) =>
    async (...of: Of) => {
      if (++changes >= nth) stopping.abort()
      if (changes < nth || (changes === nth && when === 'after')) await act(...of)
      if (changes >= nth) throw new Error('dead')
    }
  const person = await library.media.begin()
  if (!person) throw new Error('the person is there')
  const { link, write, remove, mark } = tree
  const parts = {
    ...{ library, files: media.files, bin, everyone: sql, log: silent, toJpeg: async () => undefined },
    tree: { ...tree, link: dying(link), write: dying(write), remove: dying(remove), mark: dying(mark) },
    template: templateOf(person.wanted),
    signal: stopping.signal,
  }
  return updateTree(parts, person).then(
    () => changes >= nth,
    () => true,
  )
}

it.each(['before', 'after'] as const)(
  'a run that dies %s any change of the folder is completed, and no video is deleted',
  async when => {
    const alice = await personWithTree()
    const templates = ['{channel}/{title}', '{group}/{channel}/S{season}E{episode} {title}']
    for (let nth = 1, died = true; died; nth++) {
      await choose(alice, templates[nth % 2] ?? null)
      died = await dieAt(alice, nth, when)
      // The first of these runs also dies, wherever it is by then.
      await dieAt(alice, nth + 1, when)
      for (const _ of [1, 2, 3]) await media.update(alice, 'check')

      const folder = nth % 2 ? 'No group/Bread： Kitchen' : 'Bread： Kitchen'
      const start = nth % 2 ? (id: number) => `S2026E11210${id} Bread` : () => 'Bread'
      const names = [1, 2, 3].flatMap(id => ['mp4', 'nfo'].map(end => `${folder}/${start(id)} v${id}？.${end}`))
      const show = nth % 2 ? [`${folder}/tvshow.nfo`] : []
      expect(await media.tree(alice), `dead at ${nth}`).toEqual(['.backlot.json', ...names, ...show])
      expect(await done(alice)).toBe(3)
      if (nth > 60) throw new Error('it should end')
    }
  },
)

it('an earlier version, which looks for files in the usual folders, takes none for deleted', async () => {
  const alice = await personWithTree(['v1'])
  const hash = async () =>
    (await sql`select file_hash from media_episodes where user_id = ${alice.user.user_id}`)[0]?.file_hash
  const usual = await hash()
  await choose(alice, '{channel}/{title}')
  await settle(alice)
  expect(await hash()).not.toBe(usual)
  await choose(alice, null)
  await settle(alice)
  expect(await hash()).toBe(usual)
})

it('a row that an earlier version adds to a renamed tree gets the name of the template', async () => {
  const alice = await personWithTree(['v1'])
  await choose(alice, '{channel}/{title}')
  await settle(alice)
  await sql`update media_episodes set folders = null, name = 'S2026E112101 – Bread v1？ [v1]', file_hash = null where user_id = ${alice.user.user_id}`
  await sql`delete from media_paths where user_id = ${alice.user.user_id}`

  await settle(alice)

  expect(await media.tree(alice)).toContain('Bread： Kitchen/Bread v1？.mp4')
})

it('the tree of a deleted account is removed under any template, without the files of others', async () => {
  for (const template of ['{title}', '{group}/{channel}/{season}/x/{id}', '{channel}/S{season}E{episode} {title}']) {
    const alice = await personWithTree(['v1', 'v2'])
    await choose(alice, template)
    await settle(alice)
    const film = (await media.tree(alice)).find(name => name.endsWith('.mp4')) ?? ''
    const theirs = [film.replace(/[^/]*$/, 'theirs.mp4'), film.replace(/[^/]*$/, 'theirs.nfo')]
    for (const name of theirs)
      await writeFile(media.path(alice, name), '<?xml version="1.0" encoding="UTF-8"?>\n<movie>')
    await accountsIn(sql).remove(alice.user)

    await removeForgottenTrees(sql, media.media_dir)

    expect((await media.tree(alice)).filter(name => !name.endsWith('tvshow.nfo'))).toEqual(theirs)
  }
})

it('files of the person that have the name of a video stay, whatever the template becomes', async () => {
  const alice = await personWithTree(['v1', 'v2'])
  await choose(alice, '{title}')
  const own = ['mp4', 'mp3', 'de.vtt', 'nfo'].map(ending => `Bread v1？.${ending}`)
  for (const name of own) await writeFile(media.path(alice, name), 'mine')

  await settle(alice)
  await settle(alice, 'check')

  for (const name of own) expect(await media.read(alice, name)).toBe('mine')
  expect(await media.tree(alice)).toContain('Bread v2？.mp4')
  expect(JSON.stringify(media.warnings)).toContain('Move them')

  await choose(alice, null)
  await settle(alice)
  for (const name of own) expect(await media.read(alice, name)).toBe('mine')
  for (const name of own) await rm(media.path(alice, name))
  await choose(alice, '{title}')
  await settle(alice)
  expect(await media.tree(alice)).toContain('Bread v1？.mp4')
  expect(await done(alice)).toBe(2)
})
