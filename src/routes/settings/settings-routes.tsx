/** A person's settings, and the search for a setting; quality and skipping of one channel. */
import { type Context, Hono } from 'hono'
import { chooseQuality } from '../../domain/channels/channels.ts'
import type { ServerManager } from '../../domain/media/media-servers.ts'
import { getDefaultRule } from '../../domain/rules/rules.ts'
import { choosePlaysWhole } from '../../domain/watching/segments.ts'
import { DomainError } from '../../errors.ts'
import { ChannelQualityForm } from '../../schema/downloads/quality.ts'
import { channelPath, media_path, media_servers_path } from '../../schema/http/paths.ts'
import { CaptionsForm, KeyboardForm, Settings, SettingsRequest } from '../../schema/settings/settings.ts'
import { PlaysWholeForm, SkipForm } from '../../schema/sources/segment.ts'
import { SubtitleLanguagesForm } from '../../schema/sources/subtitle-languages.ts'
import { FoundSettings, Saved } from '../../views/frames/settings-frame.tsx'
import { findSettings } from '../../views/frames/settings-table.ts'
import {
  DownloadSettingsPage,
  orderWords,
  PlaybackPage,
  SearchSettingsPage,
  TransferPage,
} from '../../views/settings/settings-page.tsx'
import { cookiesPages } from '../downloads/site-cookies-routes.tsx'
import { goTo } from '../http/answers.tsx'
import { type Env, isFragment, siteOf } from '../http/context.ts'
import { ok, operation, validJson } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'
import { valid } from '../http/valid.ts'
import { mediaPages } from '../media/media-routes.tsx'
import { mediaServerPages } from '../media/media-servers-routes.tsx'

export const settingsApi = new Hono<Env>()
  .get('/settings', operation('Read your settings', ok(Settings, 'A channel can have its own quality')), async c =>
    c.json(await c.var.library.settings.get()),
  )

  .put(
    '/settings',
    operation('Change your settings', ok(Settings, 'Applies to downloads that start from now on')),
    validJson(SettingsRequest),
    async c => c.json(await c.var.library.settings.save(c.req.valid('json'))),
  )

export const settingsPages = (service_bytes: number, servers: ServerManager) =>
  new Hono<Env>()
    .route('/settings/cookies', cookiesPages(servers.secret_key))
    .route(media_path, mediaPages)
    .route(media_servers_path, mediaServerPages(servers))

    .get('/settings', async c => {
      const q = c.req.query('q')?.slice(0, 200)
      const search = q === undefined ? undefined : { q, found: findSettings(q) }
      if (search && isFragment(c)) return c.render(<FoundSettings {...search} />)
      const settings = await c.var.library.settings.get()
      return c.render(<PlaybackPage page={pageOf(c)} settings={settings} search={q?.trim() ? search : undefined} />)
    })

    .get('/settings/downloads', async c => {
      const { on_disk_bytes } = await c.var.library.videos.tally()
      const settings = await c.var.library.settings.get()
      const { auto_download } = await getDefaultRule(c.var.library)
      const storage = { quota_bytes: await c.var.library.space.quota(service_bytes), on_disk_bytes }
      return c.render(
        <DownloadSettingsPage page={pageOf(c)} settings={settings} storage={storage} auto_download={auto_download} />,
      )
    })

    .get('/settings/search', async c => {
      const settings = await c.var.library.settings.get()
      const captions = settings.captions_of_all ? await c.var.library.transcripts.progress() : undefined
      return c.render(<SearchSettingsPage page={pageOf(c)} settings={settings} captions={captions} />)
    })

    .get('/settings/import', c => c.render(<TransferPage page={pageOf(c)} site={siteOf(c)} />))

    .post('/settings', valid('form', SettingsRequest.pick({ quality: true })), async c => {
      await c.var.library.settings.save(c.req.valid('form'))
      return saved(c, '/settings/downloads', 'Saved. Applies to new downloads.')
    })

    .post(
      '/settings/subtitles',
      valid('form', SubtitleLanguagesForm, (_, refusal) => saidOf(refusal)),
      async c => {
        const { subtitle_languages } = await c.var.library.settings.save(c.req.valid('form'))
        return saved(
          c,
          '/settings/downloads',
          'Saved. Applies to new downloads and to the player.',
          orderWords(subtitle_languages),
        )
      },
    )

    .post('/settings/keyboard', valid('form', KeyboardForm), async c => {
      const { keyboard_shortcuts } = await c.var.library.settings.save(c.req.valid('form'))
      return saved(c, '/settings', `Keyboard shortcuts are ${keyboard_shortcuts ? 'on' : 'off'}.`)
    })

    .post('/settings/captions', valid('form', CaptionsForm), async c => {
      const { captions_of_all } = await c.var.library.settings.save(c.req.valid('form'))
      const text = captions_of_all
        ? 'Saved. What is said in videos is searchable once their captions have been fetched.'
        : 'Saved. No more captions are fetched. What has been fetched stays searchable.'
      return saved(c, '/settings/search', text)
    })

    .post('/settings/skipping', valid('form', SkipForm), async c => {
      await c.var.library.settings.save(c.req.valid('form'))
      return saved(c, '/settings', 'Saved. Applies to videos that you open from now on.')
    })

    .post('/channels/:channel_id/plays-whole', valid('form', PlaysWholeForm), async c => {
      const channel_id = c.req.param('channel_id')
      const { plays_whole } = await choosePlaysWhole(c.var.library, channel_id, !c.req.valid('form').skips)
      const text = plays_whole ? 'Nothing is skipped in this channel.' : 'Parts are skipped by your settings.'
      return saved(c, `${channelPath({ channel_id })}/settings`, text)
    })

    .post('/channels/:channel_id/quality', valid('form', ChannelQualityForm), async c => {
      const { quality } = c.req.valid('form')
      const channel = await chooseQuality(c.var.library, c.req.param('channel_id'), quality ?? null)
      return saved(c, channelPath(channel), 'Saved. Applies to new downloads.')
    })

/** The form has one field, so what is wrong with it is the sentence of the answer. */
function saidOf({ fields = {}, message }: DomainError): never {
  throw new DomainError('invalid', Object.values(fields)[0] ?? message)
}

/** htmx shows that a change is saved where it was made, and `what`. A plain form leads to a page that says so. */
function saved(c: Context<Env>, path: string, text: string, what?: string): Response | Promise<Response> {
  if (isFragment(c)) return c.render(<Saved what={what} />)
  return goTo(c, path, text)
}
