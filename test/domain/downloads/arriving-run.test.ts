/** Whether a run has room for segments, and what it says to those who wait for its video. */
import { expect, it, onTestFinished } from 'vitest'
import { arrivingKey } from '../../../src/domain/downloads/arriving.ts'
import { arrivingRun } from '../../../src/domain/downloads/arriving-run.ts'
import type { Progress } from '../../../src/schema/downloads/download.ts'
import { UserId } from '../../../src/schema/values/user.ts'
import { filesIn } from '../../../src/store/local-files.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const half: Progress = {
  phase: 'downloading',
  percent: 50,
  downloaded_bytes: 500,
  total_bytes: 1000,
  speed: 100,
  eta_seconds: 5,
}
const user_id = UserId.parse(crypto.randomUUID())
const video = { video_id: 'film', video_url: 'https://videos.example/film', availability: null }

/** A run that has fetched half of a thousand bytes. */
async function halfDone({ free_bytes = 1600, is_sharing = false }) {
  const folder = newFolder()
  const files = { ...filesIn(folder), freeBytes: async () => free_bytes }
  const started = { user_id, claim: crypto.randomUUID(), quality: 'best', video } as never
  const run = arrivingRun({ files, room: { min_free_bytes: 100, quota_bytes: 0 }, is_sharing }, started)
  onTestFinished(run.end)
  run.report(half)
  await run.say({ duration_s: 12, is_whole_only: false })
  const keyIf = (is_shared: boolean) => arrivingKey({ ...video, user_id, quality: 'best' }, is_shared)
  const noted = async () => JSON.parse((await files.arriving.readState(keyIf(is_sharing))) ?? '')
  return { run, noted, want: (is_shared: boolean) => files.arriving.want(keyIf(is_shared)) }
}

it('a run makes segments where the rest of the file and all of them have room', async () => {
  const { run, noted } = await halfDone({ free_bytes: 1600 })
  expect(await run.newFolder()).toContain('arriving')
  expect(await noted()).toMatchObject({ duration_s: 12, is_whole_only: false })
})

it('a run on a fuller disk makes none, says so, and leaves the room to the file', async () => {
  const { run, noted } = await halfDone({ free_bytes: 1599 })
  await expect(run.newFolder()).rejects.toThrow('no room')
  expect(await noted()).toMatchObject({ is_whole_only: true, lacks_room: true })
})

it('a run that turns private is watched by its own person alone', async () => {
  const { run, want } = await halfDone({ is_sharing: true })
  await want(true)
  await expect.poll(run.isWatched).toBe(true)

  await run.keepPrivate()
  expect(run.isWatched()).toBe(false)
  await want(false)
  await expect.poll(run.isWatched).toBe(true)
})
