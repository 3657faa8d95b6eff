/** The page that shows the OpenAPI document. */
import { Hono } from 'hono'
import { ApiDocsPage } from '../../views/pages/api-docs.tsx'
import type { Env } from '../middleware/context.ts'
import { pageOf } from '../middleware/render.tsx'

export const apiDocsPages = new Hono<Env>().get('/docs', c => c.html(<ApiDocsPage page={pageOf(c)} />))
