/**
 * The page of all followed channels, or of the channels with single videos, with the buttons for selected channels. Following is in
 * `new-channel-page.tsx`.
 */
import { type Context, Hono } from 'hono'
import { restoreChannels } from '../../domain/bin/restore.ts'
import { listChannels } from '../../domain/channels/channels.ts'
import { addToGroup, switchRules, unfollowChannels } from '../../domain/channels/chosen.ts'
import { DomainError } from '../../errors.ts'
import { currentTime } from '../../runtime/clock.ts'
import type { BinLimits } from '../../schema/bin/bin.ts'
import { ChannelsQuery, ChosenChannelsForm, SwitchForm, ToGroupForm } from '../../schema/channels/channel-api.ts'
import type { Flash, Undo } from '../../schema/http/flash.ts'
import { countWords, isolated } from '../../schema/values/words.ts'
import type { Files } from '../../store/files.ts'
import { SwitchPartials } from '../../views/channels/channel-row.tsx'
import { ChannelsPage, SingleVideosPage } from '../../views/channels/channels-page.tsx'
import { UnfollowPage } from '../../views/channels/choosing-channels.tsx'
import { back, changed, goTo, type Said, undoable } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import { orRefusal, valid } from '../http/valid.ts'

export const channelsPages = (files: Files, bin: BinLimits) =>
  new Hono<Env>()
    .get('/', valid('query', ChannelsQuery), async c => {
      const { followed, select, ...wanted } = c.req.valid('query')
      const list = await listChannels(c.var.library, { ...wanted, followed: followed === undefined })
      const page = pageOf(c)
      if (followed !== undefined) return c.render(<SingleVideosPage page={page} list={list} />)
      const groups = select && list.followed > 0 ? await c.var.library.groups.list() : undefined
      return c.render(<ChannelsPage page={page} list={list} groups={groups} />)
    })

    // Must come before the routes that begin with the id of a channel.
    .route('/', chosenChannels(files, bin))

/** The buttons for selected channels, and the switch of the auto-download of one. */
const chosenChannels = (files: Files, bin: BinLimits) =>
  new Hono<Env>()
    .post('/chosen/watched', valid('form', ChosenChannelsForm), async c => {
      const { channel_id: channel_ids } = c.req.valid('form')
      if (channel_ids.length === 0) return goBack(c, nothing_selected)
      const now = currentTime()
      const marked = await c.var.library.viewings.markAll({ until: now, channel_ids }, now)
      if (marked === 0) return goBack(c, 'Everything is already marked as watched.')
      const undo = { do: 'unsee_all', seen_at: now.toISOString() } as const
      return goBack(c, { kind: 'done', text: `${countWords(marked, 'video')} marked as watched.`, undo })
    })

    .post('/chosen/auto-download', valid('form', SwitchForm), async c => {
      const { channel_id, on } = c.req.valid('form')
      if (channel_id.length === 0) return goBack(c, nothing_selected)
      const switched = await switchRules(c.var.library, channel_id, on)
      const undo = { do: 'switch_auto_download', channel_ids: switched, on: !on } as const
      const flash = undoable(await switchedWords(c, channel_id, on), hasRoom(undo) && undo)
      const parts = () => <SwitchPartials channel_ids={channel_id} is_on={on} />
      return changed(c, { parts, flash, otherwise: '/channels' })
    })

    .post('/chosen/group', valid('form', ToGroupForm), async c => {
      const { channel_id, ...group } = c.req.valid('form')
      if (channel_id.length === 0) return goBack(c, nothing_selected)
      const added = await orRefusal(addToGroup(c.var.library, channel_id, group))
      if (added instanceof DomainError) return goBack(c, added)
      return goBack(c, `${countWords(added.added, 'channel')} added to ${isolated(added.name)}.`)
    })

    .post('/chosen/unfollow', valid('form', ChosenChannelsForm), async c => {
      const { channel_id, confirmed } = c.req.valid('form')
      const holdings = await c.var.library.channels.holdings(channel_id)
      if (holdings.channels.length === 0) return goBack(c, nothing_selected)
      if (!confirmed) return c.render(<UnfollowPage page={pageOf(c)} holdings={holdings} />)
      const unfollowed = await unfollowChannels(c.var.library, files, channel_id, bin)
      const undo = { do: 'restore_channels', channel_ids: unfollowed } as const
      const text = `${countWords(unfollowed.length, 'channel')} unfollowed.`
      // The page this came from asks for confirmation, so do not go back to it.
      return goTo(c, '/channels', undoable(text, bin.hours > 0 && hasRoom(undo) && undo))
    })

    .post('/chosen/restore', valid('form', ChosenChannelsForm), async c => {
      const { channel_id } = c.req.valid('form')
      const { restored, left, refusal } = await restoreChannels(c.var.library, files, bin, channel_id)
      const sentences = [
        restored > 0 && `Following ${countWords(restored, 'channel')} again.`,
        left > 0 &&
          `${countWords(left, 'file')} would exceed your quota and ${left === 1 ? 'stays' : 'stay'} in Recently deleted.`,
        refusal?.message,
      ]
      return goBack(c, { kind: refusal || left > 0 ? 'problem' : 'done', text: sentences.filter(Boolean).join(' ') })
    })

const nothing_selected: Flash = { kind: 'problem', text: 'Select at least one channel.' }

const goBack = (c: Context<Env>, flash: Said): Response => back(c, '/channels', flash)

async function switchedWords(c: Context<Env>, channel_ids: string[], on: boolean): Promise<string> {
  const [first = '', ...others] = channel_ids
  const only = others.length === 0 ? await c.var.library.channels.find(first) : undefined
  return `Auto-download is ${on ? 'on' : 'off'} for ${only ? isolated(only.title) : countWords(channel_ids.length, 'channel')}.`
}

/** A message is stored in a cookie, which has no room for the ids of very many channels. */
const max_undo_characters = 2000

const hasRoom = (undo: Extract<Undo, { channel_ids: string[] }>): boolean =>
  undo.channel_ids.length > 0 && JSON.stringify(undo).length <= max_undo_characters
