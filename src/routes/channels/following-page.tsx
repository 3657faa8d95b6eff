/** Following the channel at an address in one press, taking that back, and choosing later what to include. */
import { type Context, Hono } from 'hono'
import { beginBackfill } from '../../domain/channels/backfills.ts'
import { type FollowedChannel, followChannel, undoFollow } from '../../domain/channels/channels.ts'
import { bestOf, type FeedFinder } from '../../domain/channels/discovery.ts'
import { asksForChoice, previewAddress } from '../../domain/channels/preview.ts'
import { getChannel } from '../../domain/get.ts'
import { DomainError } from '../../errors.ts'
import { nameIn } from '../../feed/pages/given-address.ts'
import type { BinLimits } from '../../schema/bin/bin.ts'
import { FollowForm } from '../../schema/channels/channel-api.ts'
import type { Flash } from '../../schema/http/flash.ts'
import { isolated } from '../../schema/values/words.ts'
import type { Files } from '../../store/files.ts'
import { channelPath, pathWith } from '../../views/ui/paths.ts'
import { setFlash } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { orRefusal, valid } from '../http/valid.ts'
import { withWarning } from './channel-page.tsx'
import { addPage, namedPage, previewPage, type Searches } from './new-channel-page.tsx'

export const followingPages = (searches: Searches, files: Files, bin: BinLimits) =>
  new Hono<Env>()
    .post(
      '/',
      valid('form', FollowForm, (c, { fields, code }) => addPage(c, '', new DomainError(code, fields.url ?? ''))),
      async c => {
        const { url, load_older, chosen } = c.req.valid('form')
        if (chosen !== undefined) return follow(c, url, bestOf(searches.discover), { load_older, has_choice: false })
        const name = nameIn(url)
        if (name !== undefined) return namedPage(c, searches.names, name)
        const preview = await orRefusal(previewAddress(c.var.library, searches, url))
        if (preview instanceof DomainError) return addPage(c, url, preview)
        const { discovery } = preview
        if (!('best' in discovery) || asksForChoice(preview)) return previewPage(c, url, preview)
        const has_choice = discovery.found.length > 1
        return follow(c, url, async () => discovery.best, { load_older, has_choice })
      },
    )

    .get('/:channel_id/feeds', async c => {
      const { page_url, rss_url } = await getChannel(c.var.library, c.req.param('channel_id'))
      return c.redirect(pathWith('/channels/new', { url: page_url ?? rss_url }), 303)
    })

    .post('/:channel_id/undo-follow', async c => {
      const channel_id = c.req.param('channel_id')
      const { title } = await getChannel(c.var.library, channel_id)
      const stays = await undoFollow(c.var.library, files, channel_id, bin)
      setFlash(c, { kind: 'done', text: `No longer following ${isolated(title)}.` })
      return c.redirect(stays ? channelPath({ channel_id }) : '/channels', 303)
    })

type Further = { load_older: boolean; has_choice: boolean }

async function follow(c: Context<Env>, url: string, findFeed: FeedFinder, { load_older, has_choice }: Further) {
  const followed = await orRefusal(followChannel(c.var.library, findFeed, url))
  if (followed instanceof DomainError) return addPage(c, url, followed)
  const { channel_id } = followed.channel
  if (load_older) await beginBackfill(c.var.library, channel_id)
  setFlash(c, messageOf(followed, has_choice))
  return c.redirect(channelPath({ channel_id }), 303)
}

function messageOf({ channel, created, switched }: FollowedChannel, has_choice: boolean): Flash {
  const { channel_id } = channel
  const title = isolated(channel.title)
  if (switched) return withWarning(channel, `Following ${title}: from now on, what you chose.`)
  if (!created) return withWarning(channel, `You already follow ${title}. It is up to date.`)
  const undo = { do: 'unfollow', channel_id } as const
  return { ...withWarning(channel, `Following ${title}.`), undo, followed: { channel_id, has_choice } }
}
