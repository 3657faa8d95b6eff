/** Names the test of each row of "When a part dies" in docs/administration.md. Each asserts what the operator is told. */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { rowsOf, sectionOf } from '../support/run/documents.ts'

const shown_by: [part: string, file: string, name: string][] = [
  [
    'embedded Postgres is killed',
    'test/e2e/database-away.test.ts',
    'an embedded Postgres that is killed is started again, and the service goes on',
  ],
  ['Postgres refuses connections', 'test/e2e/database-away.test.ts', 'the service survives %s without its database'],
  [
    'Postgres hangs, or its network',
    'test/e2e/database-away.test.ts',
    'a database that hangs is given up, and the service goes on when it answers again',
  ],
  [
    'the disk of the database is full',
    'test/e2e/database-full.test.ts',
    'what cannot be saved is refused with a sentence, and all places say so',
  ],
  ['the database is read-only', 'test/e2e/database-away.test.ts', 'a read-only database is read, and is not ready'],
  [
    'connections to Postgres are cut',
    'test/e2e/database-away.test.ts',
    'connections that are ended again and again end no process, and no download',
  ],
  [
    'the clock was ahead',
    'test/e2e/clock.test.ts',
    'is ahead by a year for a while: nothing is deleted, and nothing waits for that time when it is right again',
  ],
  [
    'the disk of the files is full',
    'test/e2e/disk-full.test.ts',
    'on a full disk a download fails with that reason, leaves nothing behind, and the worker continues',
  ],
  [
    'the disk is away or read-only',
    'test/e2e/disk-full.test.ts',
    'while the disk is %s, downloads wait, health and metrics say so, and they are completed when it is back',
  ],
  [
    'the bucket is away',
    'test/e2e/bucket.test.ts',
    'while the bucket %s, health and metrics say so, and a download is completed when it is back',
  ],
  ['a worker is killed or frozen', 'test/e2e/faults.test.ts', 'health and metrics miss a worker after'],
  [
    'a web process is killed',
    'test/e2e/roles.test.ts',
    'a web process that is killed takes no session, download or figure with it',
  ],
  [
    'yt-dlp hangs',
    'test/e2e/ended-downloads.test.ts',
    'a hanging yt-dlp is stopped with all its children, and its attempt counts',
  ],
  [
    'sites cannot be reached',
    'test/e2e/feeds.test.ts',
    'while no site can be reached, health and metrics count the feeds that fail, and they are read when the sites are back',
  ],
]

it('each part in the table has its test', async () => {
  const section = sectionOf(await readFile('docs/administration.md', 'utf8'), 'When a part dies')
  const [, ...parts] = rowsOf(section).map(([part]) => part)
  expect(parts).toEqual(shown_by.map(([part]) => part))
})

it.each(shown_by)('a test shows what happens when %s', async (_, file, name) => {
  const text = await readFile(file, 'utf8')
  expect(text).toContain(name)
  expect(text).toMatch(/\btold\(\)|\bscrape\(/)
})
