/** How large a picture somebody wants of a video, and what kind of file comes of it. */
import { z } from 'zod'

/** In the order to choose from; the enum itself would put the numbers first. */
export const qualities = ['best', '2160', '1440', '1080', '720', '480', '360', 'audio'] as const

/** The most lines a picture may have, by its shorter side; `best`: as many as there are; `audio`: the sound alone, as M4A. */
export const Quality = z.enum(qualities)
export type Quality = z.infer<typeof Quality>

/** What holds for everything somebody follows, unless a channel says otherwise. */
export const Settings = z.object({ quality: Quality })
export type Settings = z.infer<typeof Settings>

export const Extension = z.enum(['mp4', 'm4a'])
export type Extension = z.infer<typeof Extension>

export const extensionFor = (quality: Quality): Extension => (quality === 'audio' ? 'm4a' : 'mp4')

/** What a file on disk is, by its name; what was chosen may have changed since. */
export const extensionOf = (download_path: string): Extension => (download_path.endsWith('.m4a') ? 'm4a' : 'mp4')

export const isSound = ({ download_path }: { download_path: string | null }): boolean =>
  download_path !== null && extensionOf(download_path) === 'm4a'
