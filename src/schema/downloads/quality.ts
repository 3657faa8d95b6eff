/** The quality of downloads, and the kind of file that follows from it. */
import { z } from 'zod'
import { optional } from '../values/fields.ts'

/** In the order of the menu. The enum's own order would put the numbers first. */
export const qualities = ['best', '2160', '1440', '1080', '720', '480', '360', 'audio'] as const

/** A number is the largest height in lines, measured on the shorter side; `best` sets no limit; `audio` makes an M4A. */
export const Quality = z.enum(qualities)
export type Quality = z.infer<typeof Quality>

export const meaning = 'At most this many lines of picture; `best`: no limit; `audio`: sound only'

/** `null`: the channel uses the quality of the settings. */
export const QualityOfChannel = Quality.nullable().describe(`${meaning}. Null: the quality of your settings.`)

export const Extension = z.enum(['mp4', 'm4a'])
export type Extension = z.infer<typeof Extension>

export const extensionFor = (quality: Quality): Extension => (quality === 'audio' ? 'm4a' : 'mp4')

/** Read from the file's name, because the quality may have changed since the download. */
export const extensionOf = (download_path: string): Extension => (download_path.endsWith('.m4a') ? 'm4a' : 'mp4')

export const isSound = ({ download_path }: { download_path: string | null }): boolean =>
  download_path !== null && extensionOf(download_path) === 'm4a'

export const ChannelQuality = z.object({ quality: QualityOfChannel })

export const ChannelQualityForm = z.object({ quality: optional(Quality, 'Choose an option from the list.') })
