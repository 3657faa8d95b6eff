/**
 * Shows what an address leads to before anything is saved, with the feeds to choose from.
 *
 * Only our own pages make the service ask another site: a link from elsewhere fills the field and waits for a click.
 */
import { type Context, Hono } from 'hono'
import type { Discover } from '../../domain/channels/discovery.ts'
import { previewChannel } from '../../domain/channels/preview.ts'
import { DomainError } from '../../errors.ts'
import { DiscoverQuery } from '../../schema/requests.ts'
import { AddPage, FoundPage } from '../../views/pages/new-channel.tsx'
import type { Env } from '../middleware/context.ts'
import { formPage, orRefusal } from '../middleware/refused.ts'
import { pageOf } from '../middleware/render.tsx'
import { fromAnotherSite } from '../middleware/same-origin.ts'

export const newChannelPages = (discover: Discover) =>
  new Hono<Env>().get('/', async c => {
    const url = sharedAddress(c.req.query('url'), c.req.query('text'))
    // A link on another site fills in the field, but must not make this server fetch anything.
    if (url === '' || fromAnotherSite(c)) return addPage(c, url)
    const read = DiscoverQuery.safeParse({ url })
    if (!read.success) return addPage(c, '', new DomainError('invalid', read.error.issues[0]?.message ?? nothing))
    const preview = await orRefusal(previewChannel(c.var.library, discover, read.data.url))
    if (preview instanceof DomainError) return addPage(c, url, preview)
    const { discovery, followed, newest } = preview
    if (!('best' in discovery)) return addPage(c, url, notFound(discovery.fault), discovery.tried)
    const { found } = discovery
    return c.html(<FoundPage page={pageOf(c)} url={url} found={found} followed={followed} newest={newest} />)
  })

/** Most phones share a page's address inside a text; see `share_target` in `static/manifest.webmanifest`. */
const sharedAddress = (url = '', text = ''): string => url || (/https?:\/\/\S+/.exec(text)?.[0] ?? text)

const nothing = 'Could not find a channel here.'

/** The headline gives the reason, too. */
const notFound = (fault: DomainError) =>
  new DomainError(fault.code, `${nothing} ${fault.message}`, {
    cause: fault,
    ...(fault.retry_after_s !== undefined && { retry_after_s: fault.retry_after_s }),
  })

const addPage = (c: Context<Env>, url: string, refusal?: DomainError, tried: string[] = []) =>
  formPage(c, <AddPage page={pageOf(c)} url={url} error={refusal?.message} tried={tried} />, refusal)
