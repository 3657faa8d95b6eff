/** Opens what a podcast names: the files of its episodes, their subtitles, chapters and pictures. What it does not list is not found. */
import type { Library } from '../../db/library.ts'
import { nothingHere } from '../../errors.ts'
import { closeSource } from '../../runtime/sending.ts'
import type { Extension } from '../../schema/downloads/quality.ts'
import type { EpisodeFile, Podcast } from '../../schema/podcasts/podcast.ts'
import { subtitlesOfTranscript } from '../../schema/sources/subtitle-languages.ts'
import { withoutBidiControls } from '../../schema/values/direction.ts'
import { shownChapters } from '../../schema/videos/described-times.ts'
import type { Files, OpenFile } from '../../store/files.ts'
import { openSound } from '../downloads/sounds.ts'
import { orThrow } from '../get.ts'
import { dated, openSubtitles, openVideo } from '../watching/video-file.ts'
import { chapters_ending } from './feed-xml.ts'
import { our_icon } from './jpegs.ts'

/** What follows the id of a video in the name of a file. */
type Ending = `.${Extension | 'jpg' | 'vtt'}` | typeof chapters_ending
const endings: Ending[] = ['.mp4', '.m4a', '.mp3', '.jpg', '.vtt', chapters_ending]

/** A name of a file of the podcast, as its parts. Postgres refuses NUL. */
export function episodeNamed(name: string): { video_id: string; ending: Ending } {
  const ending = orThrow(
    endings.find(one => name.endsWith(one) && !name.includes('\0')),
    nothingHere,
  )
  return { video_id: name.slice(0, -ending.length), ending }
}

type Named = EpisodeFile & Pick<Podcast, 'kind'>

export async function getEpisode(library: Library, podcast_id: string, video_id: string): Promise<Named> {
  const podcast = orThrow(await library.podcasts.find(podcast_id), nothingHere)
  const episode = orThrow(await library.podcasts.episodeFile(podcast, video_id), nothingHere)
  return { ...episode, kind: podcast.kind }
}

/** The picture of the podcast: of its channel, else of its first episode that has one, else our icon. */
export async function getCover(library: Library, podcast_id: string): Promise<string> {
  const podcast = orThrow(await library.podcasts.find(podcast_id), nothingHere)
  return podcast.picture_id ?? (await library.podcasts.episodePicture(podcast)) ?? our_icon
}

/** The caller closes the file. */
export async function openEpisode(
  library: Library,
  files: Files,
  { video_id, extension, completed_at, kind }: Named,
  wanted: Extension,
): Promise<OpenFile> {
  if (extension !== wanted) throw nothingHere()
  if (kind === 'audio') {
    const sound = orThrow(await openSound(library, files, video_id), nothingHere)
    return dated(sound, { download_completed_at: completed_at })
  }
  const opened = await openVideo(library, files, video_id)
  // The file has changed since the podcast was asked.
  if (opened.extension === wanted) return opened.file
  await closeSource(opened.file.source)
  throw nothingHere()
}

/** The caller closes the file. */
export async function openTranscript(library: Library, files: Files, { video_id, subtitles, language }: EpisodeFile) {
  const { subtitle_languages } = await library.settings.get()
  return openSubtitles(library, files, video_id, subtitlesOfTranscript(subtitles, language, subtitle_languages) ?? '')
}

/** In the JSON format of Podcasting 2.0. Source: podcastindex-org/podcast-namespace, chapters/jsonChapters.md. */
export function chaptersOf(episode: EpisodeFile) {
  const known = shownChapters(episode)
  if (known.length === 0) throw nothingHere()
  return {
    version: '1.2.0',
    chapters: known.map(({ start_seconds, title }) => ({
      startTime: start_seconds,
      title: withoutBidiControls(title),
    })),
  }
}
