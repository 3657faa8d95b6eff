import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { followChannel, unfollowChannel } from '../../../src/domain/channels/channels.ts'
import { performDownload } from '../../../src/domain/downloads/perform-download.ts'
import { filesIn } from '../../../src/store/local-files.ts'
import type { Downloader } from '../../../src/ytdlp/fetch/download.ts'
import { useDatabase } from '../../support/app/database.ts'
import { no_bin } from '../../support/app/files.ts'
import { follows, person } from '../../support/app/people.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const { sql } = useDatabase()
const folder = newFolder()
const files = filesIn(folder)

it('unfollowing a channel deletes its partial files', async () => {
  const alice = await person(sql, 'alice')
  const { library } = alice
  await follows(alice, 'c', ['v1'])
  await library.downloads.request(['v1'])
  const breaksOff: Downloader = async request => {
    await writeFile(join(request.folder, 'video.mp4.part'), 'half')
    return { failure: { kind: 'transient', reason: 'unknown', sentence: 'It broke off.', detail: '' } }
  }
  await performDownload({ library, files, download: breaksOff, stopping: new AbortController().signal }, 'v1')
  expect(await readdir(join(folder, '.work', library.user_id, 'v1'))).toEqual(['left'])

  await unfollowChannel(library, { files, bin: no_bin }, 'c')

  expect(await readdir(join(folder, '.work', library.user_id)).catch(() => [])).toEqual([])
})

it('following another feed of a channel switches to it only on the same host', async () => {
  const { library } = await person(sql, 'alice')
  const track = (rss_url: string) =>
    followChannel(
      library,
      async () => ({ rss_url, feed: { channel_id: 'UC1', title: 'C', entries: [], skipped: 0 } }),
      rss_url,
    )
  await track('https://www.youtube.com/feeds/videos.xml?channel_id=UC1')

  const elsewhere = await track('https://mirror.example/UC1.xml')
  expect(elsewhere).toMatchObject({ created: false, switched: false })
  expect(elsewhere.channel.rss_url).toBe('https://www.youtube.com/feeds/videos.xml?channel_id=UC1')

  const shorts = await track('https://youtube.com/feeds/videos.xml?playlist_id=UUSH1')
  expect(shorts).toMatchObject({
    switched: true,
    channel: { rss_url: 'https://youtube.com/feeds/videos.xml?playlist_id=UUSH1' },
  })
})

it('a channel that is unfollowed while it is being followed gives a conflict', async () => {
  const { library } = await person(sql, 'alice')
  await sql.unsafe(`
    create function unfollow() returns trigger language plpgsql as $$
    begin delete from channels where id = new.id; return null; end $$;
    create trigger unfollow after insert on channels for each row when (new.channel_id = 'vanishes') execute function unfollow()`)
  const findFeed = async (rss_url: string) => ({
    rss_url,
    feed: { channel_id: 'vanishes', title: 'Vanishes', entries: [], skipped: 0 },
  })

  const followed = followChannel(library, findFeed, 'https://videos.example/feed')

  await expect(followed).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('Try again') })
})
