/** What a person has chosen for their downloads, the player, the keyboard and the search. */
import { z } from 'zod'
import { meaning, Quality } from '../downloads/quality.ts'
import { quietHours } from '../notifications/quiet-hours.ts'
import { Category, SkipCategories } from '../sources/segment.ts'
import { SubtitleLanguages } from '../sources/subtitle-languages.ts'
import { isChecked } from '../values/fields.ts'
import { MediaNames } from '../values/media-names.ts'

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
    subtitle_languages: SubtitleLanguages,
    ...quietHours,
    media_names: MediaNames,
  })
  .meta({ id: 'Settings' })

export type Settings = z.infer<typeof Settings>

export const SettingsRequest = Settings.extend({
  keyboard_shortcuts: KeyboardShortcuts.optional().meta({ description: 'Absent: as it is.' }),
  skip_categories: SkipCategories.optional().meta({ description: 'Absent: as they are.' }),
  captions_of_all: CaptionsOfAll.optional().meta({ description: 'Absent: as it is.' }),
  subtitle_languages: SubtitleLanguages.optional().meta({
    description: 'Absent: as they are; `[]`: none are preferred.',
  }),
  quiet_from: quietHours.quiet_from.optional().meta({ description: 'Absent: as it is; null: no quiet hours.' }),
  quiet_to: quietHours.quiet_to.optional().meta({ description: 'Absent: as it is; null: no quiet hours.' }),
  time_zone: quietHours.time_zone.optional().meta({ description: 'Absent: as it is.' }),
  messages_a_day: quietHours.messages_a_day.optional().meta({ description: 'Absent: as it is.' }),
  media_names: MediaNames.optional().meta({
    description: 'Absent: as it is; null: the usual template. Files get their new names within minutes.',
  }),
}).meta({ id: 'SettingsRequest' })

export type SettingsRequest = z.infer<typeof SettingsRequest>

export const KeyboardForm = z.object({ keyboard_shortcuts: isChecked })

export const CaptionsForm = z.object({ captions_of_all: isChecked })
