/** How the subtitles of a download become a transcript. */
import { rm, writeFile } from 'node:fs/promises'
import type { JobHelpers } from 'graphile-worker'
import { beforeEach, expect, it } from 'vitest'
import { transcriptTask } from '../../../jobs/tasks/transcripts.ts'
import { queueUnread } from '../../../src/db/search/everyone/captions.ts'
import { useApp } from '../../support/app/app.ts'
import { runDownload } from '../../support/app/files.ts'
import { type Person, personWith } from '../../support/app/people.ts'

const app = useApp()
const { sql } = app

let alice: Person
beforeEach(async () => {
  alice = await personWith(sql, 'alice', 'kitchen', ['v'])
})

const jobs = () => sql<{ payload: unknown }[]>`
  delete from graphile_worker._private_jobs where starts_with(key, 'transcript:') returning payload`
async function runJobs() {
  const taken = await jobs()
  for (const { payload } of taken) await transcriptTask(app)(payload, {} as JobHelpers)
  return taken.length
}
const lineOf = async ({ library }: Person, video_id = 'v') => {
  const found = await library.transcripts.find(video_id)
  return found && [found.language, found.automatic, found.lines[0]?.text]
}

beforeEach(async () => {
  await jobs()
  await sql`delete from transcripts where lines is null`
})

it.each([
  ['automatic captions before another language', ['de', 'en-x-auto'], ['en', true, 'en-x-auto']],
  ['the first where the spoken language is unknown', ['fr', 'de'], ['fr', false, 'fr']],
])('a completed download has %s as its transcript', async (_, languages, expected) => {
  await runDownload(app.files, alice, 'v', 'mp4', languages)

  expect(await runJobs()).toBe(1)

  expect(await lineOf(alice)).toEqual(expected)
})

it('what people wrote in the spoken language is taken first', async () => {
  await runDownload(app.files, alice, 'v', 'mp4', ['en', 'de'])
  await sql`update video_entries set site_facts = '{"language": "de-AT"}' where user_id = ${alice.user.user_id}`

  await runJobs()

  expect(await lineOf(alice)).toEqual(['de', false, 'de'])
})

it('what people wrote in the language that the person prefers is taken before the spoken one', async () => {
  const alice = await personWith(sql, 'alice', 'kitchen', ['v', 'w'])
  await alice.library.settings.save({ subtitle_languages: ['fr', 'pt'] })
  await runDownload(app.files, alice, 'v', 'mp4', ['en', 'de', 'pt-BR'])
  await runDownload(app.files, alice, 'w', 'mp4', ['de', 'fr-x-auto'])
  await sql`update video_entries set site_facts = '{"language": "de"}' where user_id = ${alice.user.user_id}`

  await runJobs()

  expect(await lineOf(alice, 'v')).toEqual(['pt-BR', false, 'pt-BR'])
  expect(await lineOf(alice, 'w')).toEqual(['de', false, 'de'])
})

it('the watch page says that subtitles wait to be read, and shows the transcript afterwards', async () => {
  const paneOf = async () =>
    /<\w+ id="transcript".*?>/.exec(await (await app.ask('/watch/v', { as: alice })).text())?.[0]
  expect(await paneOf()).toBe('<div id="transcript" hidden="">')
  await runDownload(app.files, alice, 'v', 'mp4', ['en'])
  expect(await paneOf()).toContain('data-waits=""')
  await runJobs()
  expect(await paneOf()).toContain('<details')
})

it('a download without subtitles adds no job', async () => {
  await runDownload(app.files, await personWith(sql, 'alice', 'kitchen', ['v']), 'v')
  expect(await runJobs()).toBe(0)
})

it('subtitles that disappear before they are read leave what is known, or nothing', async () => {
  await runDownload(app.files, alice, 'v', 'mp4', ['en'])
  await rm(`${app.folder}/${alice.user.user_id}/kitchen/v.en.vtt`)

  await runJobs()
  expect(await lineOf(alice)).toBeUndefined()

  await alice.library.transcripts.save('v', {
    language: 'en',
    automatic: false,
    lines: [{ start_seconds: 1, text: 'rye' }],
  })
  await transcriptTask(app)({ user_id: alice.user.user_id, video_id: 'v' }, {} as JobHelpers)
  expect(await lineOf(alice)).toEqual(['en', false, 'rye'])
})

it('subtitles that were not read are queued by housekeeping until they are, and once', async () => {
  await runDownload(app.files, alice, 'v', 'mp4', ['en'])
  await jobs()

  await queueUnread(sql)
  await queueUnread(sql)
  expect(await runJobs()).toBe(1)

  expect(await lineOf(alice)).toEqual(['en', false, 'en'])
  await queueUnread(sql)
  expect(await runJobs()).toBe(0)
})

it('subtitles of a video in the bin wait for it there', async () => {
  await runDownload(app.files, alice, 'v', 'mp4', ['en'])
  await jobs()
  await alice.library.channels.remove('kitchen', true)

  await queueUnread(sql)

  expect(await runJobs()).toBe(0)
})

it('subtitles that cannot be read keep no others waiting', async () => {
  const videos = Array.from({ length: 400 }, (_, at) => `v${at}`)
  const { user } = await personWith(sql, 'alice', 'kitchen', videos)
  await sql`insert into transcripts (user_id, video_id) select ${user.user_id}, unnest(${videos}::text[])`

  const queued = new Set<string>()
  for (let minute = 0; minute < 4; minute++) {
    await queueUnread(sql)
    for (const { payload } of await jobs()) queued.add(JSON.stringify(payload))
  }

  expect(queued.size).toBeGreaterThan(300)
})

it('subtitles that arrive where there were none are queued by housekeeping until they are read', async () => {
  await alice.library.transcripts.recordAsked('v')
  await runDownload(app.files, alice, 'v', 'mp4', ['en'])
  await jobs()

  await queueUnread(sql)

  expect(await runJobs()).toBe(1)
  expect(await lineOf(alice)).toEqual(['en', false, 'en'])
})

it('subtitles whose lines are all said in one second are read, as far as an index can have them', async () => {
  await runDownload(app.files, alice, 'v', 'mp4', ['en'])
  const cues = Array.from(
    { length: 20_000 },
    (_, at) => `00:01.${String(at % 1000).padStart(3, '0')} --> 00:02.000\n${'rye'.repeat(30)}${at} ${at}`,
  )
  await writeFile(`${app.folder}/${alice.user.user_id}/kitchen/v.en.vtt`, `WEBVTT\n\n${cues.join('\n\n')}\n`)

  await runJobs()

  expect((await alice.library.transcripts.find('v'))?.lines.length).toBeGreaterThan(1000)
})
