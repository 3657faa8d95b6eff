/** The quality of downloads: the user's default, and the choice for one channel; and below it the page of disk space. */
import { Hono } from 'hono'
import { chooseQuality } from '../../domain/channels/channels.ts'
import { choosePlaysWhole } from '../../domain/watching/segments.ts'
import { ChannelQualityForm } from '../../schema/downloads/quality.ts'
import { CaptionsForm, KeyboardForm, SettingsRequest } from '../../schema/settings/settings.ts'
import { PlaysWholeForm, SkipForm } from '../../schema/sources/segment.ts'
import { SettingsPage } from '../../views/settings/settings-page.tsx'
import { channelPath } from '../../views/ui/paths.ts'
import { setFlash } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import { valid } from '../http/valid.ts'

const saved = { kind: 'done', text: 'Saved. Applies to new downloads.' } as const

export const settingsPages = (quota_bytes: number | null) =>
  new Hono<Env>()
    .get('/settings', async c => {
      const { on_disk_bytes } = await c.var.library.videos.tally()
      const settings = await c.var.library.settings.get()
      const captions = settings.captions_of_all ? await c.var.library.transcripts.progress() : undefined
      const { protocol, host } = c.var.here
      const storage = { quota_bytes, on_disk_bytes }
      const origin = `${protocol}//${host}`
      return c.html(<SettingsPage page={pageOf(c)} {...{ settings, storage, captions, origin }} />)
    })

    .post('/settings', valid('form', SettingsRequest.pick({ quality: true })), async c => {
      await c.var.library.settings.save(c.req.valid('form'))
      setFlash(c, saved)
      return c.redirect('/settings', 303)
    })

    .post('/settings/keyboard', valid('form', KeyboardForm), async c => {
      const { keyboard_shortcuts } = await c.var.library.settings.save(c.req.valid('form'))
      setFlash(c, { kind: 'done', text: `Keyboard shortcuts are ${keyboard_shortcuts ? 'on' : 'off'}.` })
      return c.redirect('/settings', 303)
    })

    .post('/settings/captions', valid('form', CaptionsForm), async c => {
      const { captions_of_all } = await c.var.library.settings.save(c.req.valid('form'))
      const text = captions_of_all
        ? 'Saved. What is said in videos is searchable once their captions have been fetched.'
        : 'Saved. No more captions are fetched. What has been fetched stays searchable.'
      setFlash(c, { kind: 'done', text })
      return c.redirect('/settings', 303)
    })

    .post('/settings/skipping', valid('form', SkipForm), async c => {
      await c.var.library.settings.save(c.req.valid('form'))
      setFlash(c, { kind: 'done', text: 'Saved. Applies to videos that you open from now on.' })
      return c.redirect('/settings', 303)
    })

    .post('/channels/:channel_id/plays-whole', valid('form', PlaysWholeForm), async c => {
      const channel_id = c.req.param('channel_id')
      const { plays_whole } = await choosePlaysWhole(c.var.library, channel_id, !c.req.valid('form').skips)
      const text = plays_whole ? 'Nothing is skipped in this channel.' : 'Parts are skipped by your settings.'
      setFlash(c, { kind: 'done', text })
      return c.redirect(channelPath({ channel_id }), 303)
    })

    .post('/channels/:channel_id/quality', valid('form', ChannelQualityForm), async c => {
      const { quality } = c.req.valid('form')
      const channel = await chooseQuality(c.var.library, c.req.param('channel_id'), quality ?? null)
      setFlash(c, saved)
      return c.redirect(channelPath(channel), 303)
    })
