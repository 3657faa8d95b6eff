/** Where a template puts the files of a video and of a show, below the folder of their person. Pure. */
import type { NamedVideo, UnnamedVideo, VideoPath } from '../../db/media/media-paths.ts'
import type { NameField, NamePiece, Template } from '../../schema/values/media-names.ts'
import { fileName, folderKey, folderOf, type NameTexts, seasonFolder } from './names.ts'
import { dayOf, numberText } from './numbers.ts'

/** `nth`: 0 for the path by the template; 1 and more if the ones before are taken. */
export function pathOf(template: Template, video: NamedVideo & Partial<UnnamedVideo>, nth = 0): VideoPath {
  const { folder, season, kept_name } = video
  if (kept_name && nth === 0) return keyed(`${folder}/${seasonFolder(season)}`, kept_name)
  const texts = textsOf(video)
  return keyed(template.folders.map(pieces => folderOf(pieces, texts)).join('/'), fileName(template, texts, nth))
}

const keyed = (folders: string, name: string): VideoPath => ({
  folders,
  name,
  path_key: folderKey(withFolders(folders, name)),
})

/** A path below the folder of the person. */
export const withFolders = (folders: string, name: string): string => (folders === '' ? name : `${folders}/${name}`)

/** The names of the folders. */
export const partsOf = (folders: string): string[] => (folders === '' ? [] : folders.split('/'))

function textsOf({ video_id, title, season, episode, folder, group_name, ...times }: NamedVideo): NameTexts {
  const { season: year, month_day } = dayOf(times.published_at, times.first_seen_at)
  const date = `${year}-${String(month_day)
    .padStart(4, '0')
    .replace(/(?=..$)/, '-')}`
  return {
    ...groupTexts({ folder, group_name }),
    title,
    date,
    season: String(season),
    episode: numberText(episode),
    id: video_id,
  }
}

const groupTexts = ({ folder, group_name }: Pick<NamedVideo, 'folder' | 'group_name'>) => ({
  channel: folder,
  group: group_name || 'No group',
})

/**
 * The folder for the files of a show. `none`: the videos are films to a media server, or no folder has all videos of one channel and no
 * others.
 */
export function showFolderOf(
  { folders, is_numbered }: Template,
  show: Pick<NamedVideo, 'folder' | 'group_name'>,
): string {
  const last = folders.findIndex(pieces => pieces.some(piece => isField(piece, 'channel')))
  const leading = folders.slice(0, last + 1)
  const is_constant = leading.every((pieces, at) =>
    pieces.every(piece => typeof piece === 'string' || isField(piece, at === last ? 'channel' : 'group')),
  )
  if (!is_numbered || last === -1 || !is_constant) return 'none'
  const texts = { ...groupTexts(show), title: '', date: '', season: '', episode: '', id: '' }
  return leading.map(pieces => folderOf(pieces, texts)).join('/')
}

const isField = (piece: NamePiece, field: NameField) => typeof piece !== 'string' && piece.field === field
