/** Compares one poll for a page of 50 running downloads with 50 polls of one download each. */
import type { Sql } from '../../src/db/postgres/client.ts'
import { follows, person } from '../support/app/people.ts'
import type { Pair } from './main.ts'

export async function statuses(sql: Sql): Promise<Pair> {
  const alice = await person(sql, 'alice')
  const video_ids = Array.from({ length: 50 }, (_, n) => `v${n}`)
  await follows(alice, 'c', video_ids)
  await alice.library.downloads.request(video_ids)
  return {
    name: 'status of 50 downloads',
    ours: () => alice.library.videos.statuses(video_ids),
    other: () => Promise.all(video_ids.map(video_id => alice.library.videos.statuses([video_id]))),
  }
}
