/** The formats of a video, as YouTube's player lists them: pictures, and the sound in every language, each with a film of its own. */
import { stat } from 'node:fs/promises'
import { getFilm } from '../films.ts'
import type { SmallTrack, SmallVideo } from './catalogue.ts'
import { type Itag, itags, pathOf } from './itags.ts'

/** Each sound is offered once for every track. A video without tracks has one sound, of which YouTube does not say the language. */
export async function adaptiveFormatsOf({ id, seconds, formats, tracks = [] }: SmallVideo): Promise<object[]> {
  const offered = itags.filter(({ itag }) => formats?.includes(itag))
  const all = offered.flatMap(one => (one.picture ? [{ one }] : perTrack(one, tracks)))
  return Promise.all(
    all.map(async ({ one, track }) => ({
      itag: one.itag,
      url: addressOf(id, one, track),
      mimeType: one.mime,
      bitrate: 300_000,
      averageBitrate: 250_000,
      approxDurationMs: String(seconds * 1000),
      contentLength: String((await stat(await getFilm(pathOf(one)))).size),
      ...(one.picture ? pictureOf(one.picture) : sound),
      ...(track && { audioTrack: trackOf(track) }),
    })),
  )
}

/** The path of the film for an address that `adaptiveFormatsOf` gave out; `undefined`: it is of the joined format. */
export function filmAt(query: URLSearchParams): string | undefined {
  const found = itags.find(({ itag }) => String(itag) === query.get('itag'))
  return found && pathOf(found)
}

const perTrack = (one: Itag, tracks: SmallTrack[]): { one: Itag; track?: SmallTrack }[] =>
  tracks.length > 0 ? tracks.map(track => ({ one, track })) : [{ one }]

function addressOf(id: string, { itag }: Itag, track: SmallTrack | undefined): string {
  const xtags = track && `acont=${track.kind}:lang=${track.language}`
  const query = new URLSearchParams({ id, itag: String(itag), ...(xtags && { xtags }) })
  return `https://r1.googlevideo.com/videoplayback?${query}`
}

const pictureOf = ({ width, height, quality }: NonNullable<Itag['picture']>) => ({
  width,
  height,
  quality,
  fps: 5,
  qualityLabel: `${height}p`,
})

const sound = { quality: 'tiny', audioQuality: 'AUDIO_QUALITY_MEDIUM', audioSampleRate: '44100', audioChannels: 1 }

/** The number at the end of the id says which kind of sound it is. Only the name of an original says so. */
const trackOf = ({ language, kind, is_default = false }: SmallTrack) => ({
  displayName: `${new Intl.DisplayNames('en', { type: 'language' }).of(language)}${kind === 'original' ? ' original' : ''}`,
  id: `${language}.${numbers[kind]}`,
  audioIsDefault: is_default,
})

const numbers: Record<SmallTrack['kind'], number> = { dubbed: 3, original: 4, 'dubbed-auto': 10 }
