/** Links: everyone who has the address of a link can open one video, or one podcast, without a sign-in. */
import { z } from 'zod'
import { VideoId } from '../values/fields.ts'

/** The most links to videos of one person. */
export const max_links = 500

/** `play`: the file. `share`: a page with a player. `podcast`: a podcast. */
export type LinkKind = 'play' | 'share' | 'podcast'

const VideoLinkKind = z.enum(['play', 'share'])

export const LinkId = z.uuid().describe('The id of the link, from the response to `POST /links`.')

const expires_at = z.date().describe('From then on the link opens nothing.')

export const Link = z
  .object({
    link_id: LinkId,
    kind: VideoLinkKind.describe('`play`: the file; `share`: a page with a player.'),
    video_id: VideoId,
    title: z.string().nullable().describe('The title of the video; null: the video is no longer in your library.'),
    created_at: z.date().describe('When it was created.'),
    last_used_at: z.date().nullable().describe('To the minute; null: never.'),
    expires_at,
  })
  .meta({ id: 'Link' })
export type Link = z.infer<typeof Link>

export const Links = z.object({ links: z.array(Link) })

export const LinkRequest = z.object({
  video_id: z.string().min(1).max(200).describe('A video whose file is on disk.'),
  hours: z.int().min(1).max(8760).default(24).describe('How long the link is valid: 24 hours if absent.'),
  kind: VideoLinkKind.default('play').describe(
    '`play`: an address of the file, for a player or a television; `share`: an address of a page with the title and a player, for another person.',
  ),
})
export type LinkRequest = z.infer<typeof LinkRequest>

export const NewLink = z
  .object({
    link_id: LinkId,
    url: z.url().describe('The address. It is shown only now, because only its hash is stored.'),
    expires_at,
  })
  .meta({ id: 'NewLink' })
export type NewLink = z.infer<typeof NewLink>
