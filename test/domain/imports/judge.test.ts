/** The verdict about one file, by what is known of it. */
import { describe, expect, it } from 'vitest'
import {
  type FoundFile,
  isBetter,
  type JudgingContext,
  judge,
  type KnownVideo,
} from '../../../src/domain/imports/judge.ts'
import type { MetadataSource } from '../../../src/domain/imports/metadata.ts'

const [zoo, bread] = ['jNQXAC9IVRw', 'aqz-KE-bpKQ']
const urlOf = (id: string) => `https://www.youtube.com/watch?v=${id}`
const media = {
  conversion: 'keep' as const,
  loses_nothing: true,
  seconds: 19,
  in_file: { duration_seconds: 19 },
  height: 360,
}
/** An id where programs write ids. */
const named = (...ids: string[]) => ids.map(id => ({ id, by: 'shape' as const }))
const file = (more: Partial<FoundFile>): FoundFile => ({
  path: '/in/a.mp4',
  size: 1000,
  modified_ms: 1,
  is_sound: false,
  problem: null,
  named: [],
  ids: [],
  in_channel: false,
  among_ids: false,
  is_in_library: false,
  media,
  tags: {},
  subtitles: [],
  ...more,
})
const says = (from: MetadataSource, video_id: string, seconds: number | null = null) => ({
  from,
  seconds,
  video_id,
  video_url: urlOf(video_id),
})
const against = (listed: string[] = [], known: Record<string, KnownVideo> = {}): JudgingContext => ({
  listed: new Set(listed),
  known: new Map(Object.entries(known)),
})
const pending: KnownVideo = { download_status: 'pending', file_size: null }
const done: KnownVideo = { download_status: 'completed', file_size: 1000 }

const cases: [string, Partial<FoundFile>, JudgingContext, string, string | null][] = [
  ['an info file', { named: [says('info file', zoo)] }, against(), 'recognised', zoo],
  ['an NFO file', { named: [says('NFO file', zoo)] }, against(), 'recognised', zoo],
  ['tags', { named: [says('tags', zoo)] }, against(), 'recognised', zoo],
  ['sources that agree', { named: [says('info file', zoo), says('tags', zoo)] }, against(), 'recognised', zoo],
  [
    'sources that contradict each other',
    { named: [says('info file', zoo), says('tags', bread)] },
    against(),
    'doubtful',
    null,
  ],
  [
    'an info file and a part of the name that is no id',
    { named: [says('info file', zoo)], ids: named('1080p-60fps') },
    against(),
    'recognised',
    zoo,
  ],
  [
    'an info file and the listed id of another video',
    { named: [says('info file', zoo)], ids: named(bread) },
    against([`youtube ${bread}`]),
    'doubtful',
    null,
  ],
  [
    'an info file and the same id, listed',
    { named: [says('info file', zoo)], ids: named(bread, zoo) },
    against([`youtube ${zoo}`, `youtube ${bread}`]),
    'recognised',
    zoo,
  ],
  ['an id alone', { ids: named(zoo) }, against(), 'doubtful', zoo],
  ['an id in a list of downloads', { ids: named(zoo) }, against([`youtube ${zoo}`]), 'recognised', zoo],
  [
    'an id of another site in a list',
    { ids: named('76979871') },
    against(['vimeo 76979871']),
    'recognised',
    'vimeo.76979871',
  ],
  ['an id of an unknown site in a list', { ids: named('76979871') }, against(['somesite 76979871']), 'doubtful', null],
  ['an id of a video of the library', { ids: named(zoo) }, against([], { [zoo]: pending }), 'recognised', zoo],
  [
    'what may be words, in the folder of a channel',
    { ids: [{ id: bread, by: 'place' }], in_channel: true },
    against(),
    'doubtful',
    bread,
  ],
  [
    'what may be words, among files with ids',
    { ids: [{ id: bread, by: 'place' }], among_ids: true },
    against(),
    'recognised',
    bread,
  ],
  ['an id among files with ids', { ids: named(zoo), among_ids: true }, against(), 'recognised', zoo],
  ['a guess among files with ids', { ids: [{ id: zoo, by: 'guess' }], among_ids: true }, against(), 'doubtful', zoo],
  ['an id in the folder of a channel', { ids: named(zoo), in_channel: true }, against(), 'recognised', zoo],
  [
    'words in the folder of a channel',
    { ids: [{ id: bread, by: 'words' }], in_channel: true },
    against(),
    'doubtful',
    null,
  ],
  [
    'words that are a listed id',
    { ids: [{ id: bread, by: 'words' }] },
    against([`youtube ${bread}`]),
    'recognised',
    bread,
  ],
  [
    'a guess in the folder of a channel',
    { ids: [{ id: zoo, by: 'guess' }], in_channel: true },
    against(),
    'doubtful',
    zoo,
  ],
  ['an id that the name calls one of YouTube', { ids: [{ id: zoo, by: 'site' }] }, against(), 'recognised', zoo],
  ['several possible ids', { ids: named(zoo, bread) }, against(), 'doubtful', null],
  [
    'several possible ids of which one is listed',
    { ids: named(zoo, bread) },
    against([`youtube ${bread}`]),
    'recognised',
    bread,
  ],
  ['several listed ids', { ids: named(zoo, bread) }, against([`youtube ${zoo}`, `youtube ${bread}`]), 'doubtful', null],
  ['no id', {}, against(), 'doubtful', null],
  ['a file that ffprobe cannot read', { named: [says('info file', zoo)], media: null }, against(), 'doubtful', null],
  ['a problem', { named: [says('info file', zoo)], problem: 'It is empty.' }, against(), 'doubtful', null],
  ['less than half of the video', { named: [says('info file', zoo, 60)] }, against(), 'doubtful', zoo],
  ['a video from which something was cut', { named: [says('info file', zoo, 30)] }, against(), 'recognised', zoo],
  [
    'a video that waits for its download',
    { named: [says('info file', zoo)] },
    against([], { [zoo]: pending }),
    'recognised',
    zoo,
  ],
  ['a file that the library has', { named: [says('info file', zoo)] }, against([], { [zoo]: done }), 'imported', zoo],
  [
    'a file that the library has, unread',
    { ids: named(zoo), media: null, is_in_library: true },
    against([], { [zoo]: done }),
    'imported',
    zoo,
  ],
  [
    'another file of a video that the library has',
    { named: [says('info file', zoo)], size: 5 },
    against([], { [zoo]: done }),
    'duplicate',
    zoo,
  ],
]

it.each(cases)('%s', (_, found, known, verdict, video_id) => {
  const judged = judge(file(found), known)
  expect([judged.verdict, judged.video?.video_id ?? null]).toEqual([verdict, video_id])
  expect(judged.reason).toMatch(/^[A-Zf].*\.$/)
})

describe('the better file of a video', () => {
  it.each([
    ['is the surer one', { height: 1 }, 'recognised', { height: 999 }, 'doubtful'],
    ['has the larger picture', { height: 1080 }, 'recognised', { height: 720 }, 'recognised'],
  ] as const)('%s', (_, one, verdict, other, other_verdict) => {
    const a = { ...file({ media: { ...media, ...one } }), verdict }
    const b = { ...file({ media: { ...media, ...other } }), verdict: other_verdict }
    expect([isBetter(a, b), isBetter(b, a), isBetter(a, a)]).toEqual([true, false, false])
  })

  it('the better file is the larger one of two with the same picture, and a video rather than its sound', () => {
    const [small, large] = [file({}), file({ size: 2000 })].map(found => ({ ...found, verdict: 'recognised' as const }))
    expect(small && large && [isBetter(large, small), isBetter(small, large)]).toEqual([true, false])
    expect(small && large && isBetter(small, { ...large, is_sound: true })).toBe(true)
  })
})
