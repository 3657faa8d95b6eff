import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { workIn } from '../../src/store/work.ts'
import { newRun } from '../support/app/stored.ts'
import { newFolder } from '../support/run/new-folder.ts'

const folder = newFolder()
const files = workIn(Promise.resolve(folder))

it('the folder of a run is left to the next run', async () => {
  const first = newRun()
  await writeFile(join(await files.workFolder(first), 'video.part'), 'half')
  await files.leaveWork(first)
  const next = { ...first, claim: crypto.randomUUID() }
  expect(await readdir(await files.workFolder(next))).toEqual(['video.part'])
  await files.forgetWork(next)
  await mkdir(join(folder, '.work', first.user_id), { recursive: true })
  expect(await readdir(join(folder, '.work', first.user_id))).toEqual([])
})

it('what served one run alone is not left to the next run, and that a folder is private is', async () => {
  const first = newRun()
  const own = await files.workFolder(first)
  await mkdir(join(own, 'home', 'deep'), { recursive: true })
  await mkdir(join(own, 'ahead'))
  for (const name of [
    'home/cookies.txt',
    'ahead/sound.f1.m4a',
    'about.info.json',
    'about.info.json.k3.tmp',
    'video.mp4.part',
  ])
    await writeFile(join(own, name), 'secret')
  const before = await files.isPrivate(first)
  await files.keepPrivate(first)
  await files.leaveWork(first)
  const next = { ...first, claim: crypto.randomUUID() }
  expect(await readdir(await files.workFolder(next))).toEqual(['private.txt', 'video.mp4.part'])
  expect([before, await files.isPrivate(next)]).toEqual([false, true])
})

it('folders of deleted users are removed, and those of running downloads are kept', async () => {
  const [gone, running, just_begun] = [newRun(), newRun(), newRun()]
  for (const one of [gone, running]) {
    await writeFile(join(await files.workFolder(one), 'video.part'), 'half')
    await utimes(join(folder, '.work', one.user_id, one.video_id, one.claim), 0, 0)
  }
  await mkdir(join(folder, '.work', just_begun.user_id))
  const now = Date.now()
  const claims = new Set([running.claim])

  await files.forgetAbandoned(claims, new Date(now))
  const swept = await readdir(join(folder, '.work', gone.user_id))
  await files.forgetAbandoned(claims, new Date(now + 2 * 3_600_000))
  const left = await readdir(join(folder, '.work'))

  expect(swept).toEqual([])
  expect(left).not.toContain(gone.user_id)
  expect(await readdir(join(folder, '.work', running.user_id, 'v1', running.claim))).toEqual(['video.part'])
})
