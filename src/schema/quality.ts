/** The quality of downloads, and the kind of file that follows from it. */
import { z } from 'zod'
import { Category, SkipCategories } from './segment.ts'

/** In the order of the menu. The enum's own order would put the numbers first. */
export const qualities = ['best', '2160', '1440', '1080', '720', '480', '360', 'audio'] as const

/** A number is the largest height in lines, measured on the shorter side; `best` sets no limit; `audio` makes an M4A. */
export const Quality = z.enum(qualities)
export type Quality = z.infer<typeof Quality>

const meaning = 'At most this many lines of picture; `best`: no limit; `audio`: sound only'

/** `null`: the channel uses the quality of the settings. */
export const QualityOfChannel = Quality.nullable().describe(`${meaning}. Null: the quality of your settings.`)

const KeyboardShortcuts = z.boolean().describe('Whether single keys such as `/` and `k` do something on the pages.')

const CaptionsOfAll = z
  .boolean()
  .describe(
    'Whether search finds what is said in all videos, downloaded or not: captions are fetched where there are no subtitles.',
  )

export const Settings = z
  .object({
    quality: Quality.describe(`${meaning}.`),
    keyboard_shortcuts: KeyboardShortcuts,
    skip_categories: z.array(Category).describe('The kinds of parts that the player skips, by SponsorBlock.'),
    captions_of_all: CaptionsOfAll,
  })
  .meta({ id: 'Settings' })
export type Settings = z.infer<typeof Settings>

export const SettingsRequest = Settings.extend({
  keyboard_shortcuts: KeyboardShortcuts.optional().meta({ description: 'Absent: as it is.' }),
  skip_categories: SkipCategories.optional().meta({ description: 'Absent: as they are.' }),
  captions_of_all: CaptionsOfAll.optional().meta({ description: 'Absent: as it is.' }),
}).meta({ id: 'SettingsRequest' })
export type SettingsRequest = z.infer<typeof SettingsRequest>

/** A browser sends nothing for an empty checkbox. */
const isChecked = z
  .string()
  .optional()
  .transform(on => on !== undefined)

export const KeyboardForm = z.object({ keyboard_shortcuts: isChecked })
export const CaptionsForm = z.object({ captions_of_all: isChecked })

export const Extension = z.enum(['mp4', 'm4a'])
export type Extension = z.infer<typeof Extension>

export const extensionFor = (quality: Quality): Extension => (quality === 'audio' ? 'm4a' : 'mp4')

/** Read from the file's name, because the quality may have changed since the download. */
export const extensionOf = (download_path: string): Extension => (download_path.endsWith('.m4a') ? 'm4a' : 'mp4')

export const isSound = ({ download_path }: { download_path: string | null }): boolean =>
  download_path !== null && extensionOf(download_path) === 'm4a'
