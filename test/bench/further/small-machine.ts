/**
 * What a small machine, such as a Raspberry Pi, can do in an hour: the whole service with its Postgres has a quarter of one core. Needs a
 * control group that may be written to, which root has on most machines.
 */
import { mkdir, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { connect } from '../../../src/db/postgres/client.ts'
import { openFeedSite } from '../bounds/feeds.ts'
import { giveTools } from '../bounds/tools.ts'
import { openFilmSite } from '../bounds/video-site.ts'
import { startWhole } from '../household/rest.ts'
import { followFeeds, refreshAll } from '../rows/feeds.ts'
import { type Bench, onSides } from '../run/bench.ts'
import { endChildren } from '../run/children.ts'
import { addPeople } from '../run/seed.ts'
import type { Side } from '../run/side.ts'

export async function smallMachine(bench: Bench): Promise<object[]> {
  const group = await controlGroup()
  if (!group) {
    bench.say('No control group may be written to here, so a small machine cannot be emulated.')
    return []
  }
  const { feeds, looks } = bench.quick ? { feeds: 20, looks: 2 } : { feeds: 200, looks: 10 }
  const site = await openFeedSite()
  const urls = Array.from({ length: feeds }, (_, n) => site.feed(n))
  const measured = async (own: Side) => {
    const tools = await giveTools(own)
    const films = await openFilmSite(bench.folder, tools.FFMPEG_PATH)
    // The first start makes the database.
    await (await startWhole(own, tools)).stop()
    await group.limit('quarter')
    const whole = await startWhole(own, tools, group.members)
    const side = { ...own, database: { url: whole.database_url, sql: connect(whole.database_url, { max: 1 }) } }
    const [person] = await addPeople(side.database.sql, 1)
    await followFeeds(side, [person?.user_id ?? ''], urls)
    const feedsAnHour = async (mode: 'unchanged' | 'new', edition: number) => {
      await site.answer({ mode, edition })
      return Math.round(3600 * (await refreshAll(side, whole, urls)).value)
    }
    await feedsAnHour('unchanged', 0)
    const figures = {
      checkout: own.name,
      'second start, s': whole.ready_s.toFixed(1),
      'feeds an hour, 304 to all': await feedsAnHour('unchanged', 0),
      'feeds an hour, 15 new entries each': await feedsAnHour('new', 1),
      'looks with yt-dlp an hour': await looksAnHour(whole.url, films.url, person?.headers ?? {}, looks),
    }
    films.close()
    await side.database.sql.end()
    // So slow, it would be killed before it had stopped its Postgres.
    await group.limit('none')
    await whole.stop()
    return figures
  }
  try {
    return Object.values(await onSides(bench, measured))
  } finally {
    await group.limit('none')
    await endChildren()
    await group.close()
  }
}

/** Videos that are added by their address, one after another. The first one, which may start more than the others, does not count. */
async function looksAnHour(url: string, films: string, person: Record<string, string>, count: number) {
  const headers = { ...person, 'content-type': 'application/json' }
  let began = 0
  for (let n = 0; n <= count; n++) {
    const body = JSON.stringify({ url: `${films}/look-${n}.mp4` })
    const answer = await fetch(`${url}/api/videos`, { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(`the address was not looked at: ${await answer.text()}`)
    if (n === 0) began = performance.now()
  }
  return Math.round((3600 * 1000 * count) / (performance.now() - began))
}

type Group = {
  members: string
  /** Of the processor time of one core. */
  limit(share: 'quarter' | 'none'): Promise<void>
  close(): Promise<void>
}

/** Of the first or the second version. `undefined`: none may be written to. */
async function controlGroup(): Promise<Group | undefined> {
  const name = `backlot-bench-${process.pid}`
  const kinds = [
    { folder: join('/sys/fs/cgroup/cpu', name), file: 'cpu.cfs_quota_us', quarter: '25000', none: '-1' },
    { folder: join('/sys/fs/cgroup', name), file: 'cpu.max', quarter: '25000 100000', none: 'max' },
  ]
  for (const { folder, file, ...shares } of kinds)
    try {
      await mkdir(folder)
      const limit: Group['limit'] = share => writeFile(join(folder, file), shares[share])
      await limit('quarter')
      return { members: join(folder, 'cgroup.procs'), limit, close: () => removed(folder) }
    } catch {
      await rmdir(folder).catch(() => {})
    }
  return undefined
}

/** A process that has just ended may still be in it. */
async function removed(folder: string, tries = 20): Promise<void> {
  const is_removed = await rmdir(folder).then(
    () => true,
    () => false,
  )
  if (is_removed || tries === 0) return
  await setTimeout(100)
  await removed(folder, tries - 1)
}
