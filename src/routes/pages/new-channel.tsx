/** What stands behind an address, before anything is saved: a page to choose on. */
import type { Context } from 'hono'
import { Hono } from 'hono'
import type { Discover } from '../../domain/channels/discovery.ts'
import { previewChannel } from '../../domain/channels/preview.ts'
import { DomainError } from '../../errors.ts'
import { DiscoverQuery } from '../../schema/api.ts'
import { AddPage, FoundPage } from '../../views/pages/new-channel.tsx'
import type { Env } from '../middleware/context.ts'
import { pageOf } from '../middleware/render.tsx'
import { fromAnotherSite } from '../middleware/same-origin.ts'

export const newChannel = (discover: Discover) =>
  new Hono<Env>().get('/', async c => {
    const url = sharedAddress(c.req.query('url'), c.req.query('text'))
    // Only what is asked for here goes out: a link on another site fills the field, and no more.
    if (url === '' || fromAnotherSite(c)) return askAgain(c, { url, status: 200 })
    const read = DiscoverQuery.safeParse({ url })
    if (!read.success) return askAgain(c, { url: '', error: read.error.issues[0]?.message, status: 422 })
    try {
      const { discovery, followed, newest } = await previewChannel(c.var.library, discover, read.data.url)
      if (!('best' in discovery)) {
        return askAgain(c, { url, error: nothing, tried: discovery.tried, status: discovery.fault.status })
      }
      const { found } = discovery
      return c.html(<FoundPage page={pageOf(c)} url={url} found={found} followed={followed} newest={newest} />)
    } catch (fault) {
      if (!(fault instanceof DomainError)) throw fault
      return askAgain(c, { url, error: fault.message, status: fault.status })
    }
  })

/** Most phones share the address of a page inside a text, as `static/manifest.webmanifest` takes it. */
const sharedAddress = (url = '', text = ''): string => url || (/https?:\/\/\S+/.exec(text)?.[0] ?? text)

const nothing = 'No feed was found at this address.'

type Again = { url: string; error?: string | undefined; tried?: string[]; status: 200 | DomainError['status'] }

const askAgain = (c: Context<Env>, { status, ...again }: Again) =>
  c.html(<AddPage page={pageOf(c)} {...again} />, status)
