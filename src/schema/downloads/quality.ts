/** The quality of downloads, and the kind of file that follows from it. */
import { z } from 'zod'
import { optional } from '../values/fields.ts'

/** In the order of the menu. The enum's own order would put the numbers first. */
export const qualities = ['best', 'compatible', '2160', '1440', '1080', '720', '480', '360', 'audio', 'mp3'] as const

/**
 * A number is the largest height in lines, measured on the shorter side; `best` sets no limit; `compatible` makes an MP4 that every device
 * plays; `audio` makes an M4A, and `mp3` an MP3.
 */
export const Quality = z.enum(qualities)
export type Quality = z.infer<typeof Quality>

export const meaning =
  'At most this many lines of picture; `best`: no limit; `compatible`: H.264 and AAC, at most 1080 lines, which every phone and television plays; `audio`: sound only, as M4A; `mp3`: sound only, as MP3'

/** `null`: the channel uses the quality of the settings. */
export const QualityOfChannel = Quality.nullable().describe(`${meaning}. Null: the quality of your settings.`)

export const Extension = z.enum(['mp4', 'm4a', 'mp3'])
export type Extension = z.infer<typeof Extension>

const extensions: Partial<Record<Quality, Extension>> = { audio: 'm4a', mp3: 'mp3' }

export const extensionFor = (quality: Quality): Extension => extensions[quality] ?? 'mp4'

/** Read from the file's name, because the quality may have changed since the download. */
export const extensionOf = (download_path: string): Extension =>
  Extension.options.find(extension => download_path.endsWith(`.${extension}`)) ?? 'mp4'

export const isSound = ({ download_path }: { download_path: string | null }): boolean =>
  download_path !== null && extensionOf(download_path) !== 'mp4'

/** Whether downloads of this quality have no picture. */
export const isSoundOnly = (quality: Quality): boolean => extensionFor(quality) !== 'mp4'

export const ChannelQuality = z.object({ quality: QualityOfChannel })

export const ChannelQualityForm = z.object({ quality: optional(Quality, 'Choose an option from the list.') })
