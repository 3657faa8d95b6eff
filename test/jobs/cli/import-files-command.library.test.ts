/** What an import of files means for the rest of a library: New, rules, search, history, following, storage in a bucket. */
import { readFile, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { applyRule, changeRule } from '../../../src/domain/rules/rules.ts'
import { RuleRequest } from '../../../src/schema/rules/rule.ts'
import type { Files } from '../../../src/store/files.ts'
import { openStorage } from '../../../src/store/storage.ts'
import { useApp } from '../../support/app/app.ts'
import { startBucket } from '../../support/app/bucket.ts'
import { importOwned } from '../../support/app/owned-import.ts'
import { entry, type Person, person } from '../../support/app/people.ts'
import { infoOf, useOwnedFiles, youtubeUrl } from '../../support/media/owned-files.ts'

const app = useApp()
const owned = useOwnedFiles()

let alice: Person
beforeEach(async () => {
  alice = await person(app.sql, 'alice')
})

const run = (given: Partial<Parameters<typeof importOwned>[1]> = {}) =>
  importOwned(app, { folder: owned.folder, username: alice.user.username, ...given })

const talk = async (video_id: string, more: object = {}) => {
  await owned.write(`Talk [${video_id}].info.json`, infoOf(video_id, more))
  return owned.film(`Talk [${video_id}].mp4`)
}

/** Nothing but a list of downloads says what it is. */
const listed = async (video_id: string) => {
  await owned.write('archive.txt', `youtube ${video_id}\n`)
  return owned.film(`Old talk [${video_id}].mp4`)
}
const kitchen = {
  channel_id: 'UCabcdefghijklmnopqrstuv',
  title: 'Kitchen',
  rss_url: 'https://videos.example/kitchen.xml',
}
const ofFeed = (video_id: string, more: object = {}) => entry(video_id, { video_url: youtubeUrl(video_id), ...more })

describe('imported videos', () => {
  it('imported videos appear in New at the date of their publication, or that of their file', async () => {
    const year = (y: number) => new Date(`${y}-06-01T00:00:00Z`)
    await utimes(await listed('ccccccccccA'), year(2015), year(2015))
    await talk('aaaaaaaaaaA')
    await alice.library.channels.save(kitchen, [
      ofFeed('bbbbbbbbbbA', { title: 'Of the feed', published_at: year(2023) }),
    ])
    await run()
    const { entries } = (await (await app.ask('/api/videos', { as: alice })).json()) as { entries: { title: string }[] }
    expect(entries.map(({ title }) => title)).toEqual(['Talk aaaaaaaaaaA', 'Of the feed', 'Old talk'])
  })

  it('imported videos are found by search, and have a page on which they play', async () => {
    await talk('aaaaaaaaaaA')
    await run()
    const { entries } = (await (await app.ask('/api/search?q=talk', { as: alice })).json()) as {
      entries: { video_id: string }[]
    }
    expect(entries.map(({ video_id }) => video_id)).toEqual(['aaaaaaaaaaA'])
    expect(await (await app.ask('/watch/aaaaaaaaaaA', { as: alice })).text()).toContain('/stream/aaaaaaaaaaA')
  })

  it('imported videos are downloaded by no rule of their channel, and removed by none', async () => {
    await alice.library.channels.save(kitchen, [ofFeed('bbbbbbbbbbA')])
    await changeRule(alice.library, kitchen.channel_id, {
      ...RuleRequest.parse({ auto_download: true }),
      keep_newest: 1,
      include_older: true,
    })
    await talk('aaaaaaaaaaA')
    await talk('ccccccccccA')
    await run()
    await applyRule(alice.library, kitchen.channel_id)
    for (const id of ['aaaaaaaaaaA', 'ccccccccccA'])
      expect(await alice.library.videos.find(id)).toMatchObject({ download_status: 'completed', queued: false })
  })

  it('imported videos have their file in the channel that is followed later', async () => {
    await listed('ccccccccccA')
    await run()
    await alice.library.channels.save(kitchen, [ofFeed('ccccccccccA', { title: 'Its real title' })])
    const { entries } = await alice.library.videos.list({ channel_id: kitchen.channel_id, limit: 10 })
    expect(entries).toEqual([expect.objectContaining({ title: 'Its real title', download_status: 'completed' })])
  })
})

describe('a bucket', () => {
  const inBucket = async () => {
    const bucket = await startBucket()
    onTestFinished(bucket.stop)
    return { bucket, files: openStorage({ DATA_DIR: join(app.folder, 'data'), ...bucket.variables }) }
  }

  it('a bucket gets the files of an import, and a moved file is removed from its folder', async () => {
    const { bucket, files } = await inBucket()
    const content = await readFile(await talk('aaaaaaaaaaA'))
    const { code, text } = await run({ files, manner: 'move' })
    expect([code, text]).toEqual([0, expect.stringContaining('Removed 1 file here.')])
    const path = (await alice.library.videos.find('aaaaaaaaaaA'))?.download_path ?? ''
    expect(await bucket.keys()).toEqual([path])
    expect(Buffer.from((await files.read(path)) ?? [])).toEqual(content)
  })

  it('a bucket has no unfinished upload after the database has refused a file', async () => {
    const { bucket, files } = await inBucket()
    const file = await talk('aaaaaaaaaaA')
    const stage: Files['stage'] = async (...args) => ({
      ...(await files.stage(...args)),
      put: () => Promise.reject(new Error('connection lost')),
    })
    await expect(run({ files: { ...files, stage }, manner: 'move' })).rejects.toThrow('connection lost')
    expect([await bucket.uploads(), await bucket.keys()]).toEqual([[], []])
    expect(await alice.library.videos.find('aaaaaaaaaaA')).toBeUndefined()
    expect((await stat(file)).isFile()).toBe(true)
  })
})

describe('hostile files next to a video', () => {
  /** So that most files of the folder have no id, and an id in a name alone is not enough. */
  const withoutIds = async (count: number) => {
    for (let n = 0; n < count; n += 1) await owned.film(`z${n}.mp4`)
  }

  it('fields of an info file that are no texts, names or dates do not end the import', async () => {
    const infos = {
      aaaaaaaaaaA: { description: 'a\u0000b' },
      bbbbbbbbbbA: { channel_id: 'a\ud800b', channel_url: null },
      ccccccccccA: { channel_id: '../../x', channel_url: 'javascript:alert(1)', thumbnail: 'javascript:1' },
      ddddddddddA: { id: {}, title: [], channel: 5, duration: 'x', timestamp: {}, description: { a: 1 } },
      eeeeeeeeeeA: { timestamp: -1e300, upload_date: '20249999', age_limit: 1e308 },
      ffffffffffA: {},
    }
    for (const [id, info] of Object.entries(infos)) await talk(id, info)
    const { code } = await run()
    expect(code).toBe(0)
    for (const id of Object.keys(infos))
      expect([id, await alice.library.videos.find(id)]).toMatchObject([id, { download_status: 'completed' }])
  })

  it('an address with a control character names no video and is not printed', async () => {
    const texts = ['\u001b]0;owned\u0007', '\nrecognised x', '\u009b31m', '%1b[2J']
    const ids = ['aaaaaaaaaaA', 'bbbbbbbbbbA', 'ccccccccccA', 'ddddddddddA']
    for (const [n, text] of texts.entries()) await talk(ids[n] ?? '', { webpage_url: `https://videos.example/${text}` })
    await withoutIds(4)
    const { lines } = await run()
    expect(lines.filter(line => line.includes('Talk ['))).toEqual(Array(4).fill(expect.stringMatching(/^doubtful /)))
    expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
  })

  it.skipIf(process.platform !== 'linux')('a name cannot command the terminal, or look like another line', async () => {
    await owned.film('a\nrecognised b\u001b[2J\u009b1m\u202e [aaaaaaaaaaA].mp4')
    const { lines } = await run()
    expect(lines[0]).toContain('a\\x0arecognised b\\x1b[2J\\xc2\\x9b1m\\xe2\\x80\\xae [aaaaaaaaaaA].mp4')
  })

  it('an info file of 200,000 levels, or larger than 32 MB, is left out', async () => {
    const levels = 200_000
    await owned.film('a [aaaaaaaaaaA].mp4')
    await owned.write(
      'a [aaaaaaaaaaA].info.json',
      `{"id":"aaaaaaaaaaA","x":${'['.repeat(levels)}${']'.repeat(levels)}}`,
    )
    await owned.film('b [bbbbbbbbbbA].mp4')
    await owned.write('b [bbbbbbbbbbA].info.json', JSON.stringify(infoOf('bbbbbbbbbbA')).padEnd(33 * 1024 * 1024))
    await withoutIds(2)
    const { lines } = await run()
    expect(lines.slice(0, 2).map(line => line.slice(0, 10))).toEqual(['recognised', 'doubtful  '])
  })
})
