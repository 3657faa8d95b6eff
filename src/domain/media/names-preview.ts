/** Shows a template with videos of the person, before it is saved. */
import type { Library } from '../../db/library.ts'
import type { ExampleVideo } from '../../db/media/media-paths.ts'
import { templateOf } from '../../schema/values/media-names.ts'
import { folderName } from './names.ts'
import { dayOf, numberOf } from './numbers.ts'
import { pathOf, withFolders } from './video-paths.ts'

/** The paths below the folder of the person. Those of videos without a file have the first number of their day. */
export async function previewNames({ media }: Library, names: string | null): Promise<string[]> {
  const template = templateOf(names)
  const videos = await media.examples()
  const taken = new Set<string>()
  return (videos.length > 0 ? videos : [example]).map(video => {
    const day = dayOf(video.published_at, video.first_seen_at)
    const named = {
      ...video,
      season: video.season ?? day.season,
      episode: video.episode ?? numberOf(day, 1),
      folder: video.folder ?? folderName(video.channel_title),
    }
    for (let nth = 0; ; nth++) {
      const { folders, name, path_key } = pathOf(template, named, nth)
      if (taken.has(path_key)) continue
      taken.add(path_key)
      return `${withFolders(folders, name)}.mp4`
    }
  })
}

const example: ExampleVideo = {
  video_id: 'aqz-KE-bpKQ',
  title: 'Rye',
  channel_title: 'Bread Kitchen',
  group_name: 'Cooking',
  published_at: new Date('2026-11-21T12:00:00Z'),
  first_seen_at: new Date('2026-11-21T12:00:00Z'),
  season: null,
  episode: null,
  folder: null,
}
