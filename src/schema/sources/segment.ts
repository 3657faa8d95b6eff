/** Parts of a video that a person may want to skip, as SponsorBlock names them. */
import { z } from 'zod'
import { isChecked } from '../values/fields.ts'

/** Each category with the words of the pages. */
export const categoryWords = {
  sponsor: 'Sponsor',
  selfpromo: 'Self-promotion',
  interaction: 'Reminder to subscribe or like',
  intro: 'Intro',
  outro: 'End cards and credits',
  preview: 'Preview or recap',
  music_offtopic: 'Part without music, in a music video',
  filler: 'Off topic or joke',
}
export type Category = keyof typeof categoryWords
export const categories = Object.keys(categoryWords) as Category[]
export const Category = z.enum(categories)

export const Segment = z.object({
  start_seconds: z.number().nonnegative().describe('Where it begins.'),
  end_seconds: z.number().nonnegative().describe('Where it ends.'),
  category: Category.describe('What kind of part it is.'),
})
export type Segment = z.infer<typeof Segment>

export const Segments = z
  .object({
    segments: z.array(Segment).describe('In the order of their times; empty: none are known, or the service is off.'),
  })
  .meta({ id: 'Segments' })

export const SkipCategories = z
  .array(Category)
  .max(categories.length)
  .transform(given => categories.filter(category => given.includes(category)))

/** A browser sends a name for each chosen box, and nothing where none is chosen. */
export const SkipForm = z
  .object({ category: z.union([Category.transform(one => [one]), z.array(Category)]).default([]) })
  .transform(({ category }) => ({ skip_categories: categories.filter(one => category.includes(one)) }))

/** `plays_whole` of a channel. */
export const PlaysWhole = z
  .object({ plays_whole: z.boolean().describe('Whether nothing is skipped in the videos of this channel.') })
  .meta({ id: 'PlaysWhole' })

export const PlaysWholeForm = z.object({ skips: isChecked })

/** Where its data is from, as its license asks to be said. */
export const sponsorblock_page = 'https://sponsor.ajay.app'
