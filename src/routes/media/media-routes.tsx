/** The settings page of MEDIA_DIR, the folder for media servers. */
import { Hono } from 'hono'
import { MediaPage } from '../../views/media/media-page.tsx'
import type { Env } from '../http/context.ts'
import { pageOf } from '../http/page.ts'

export const mediaPages = new Hono<Env>().get('/', c => c.render(<MediaPage page={pageOf(c)} />))
