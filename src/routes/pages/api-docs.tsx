/** The page that shows the OpenAPI document to people. */
import { Hono } from 'hono'
import { ApiDocsPage } from '../../views/pages/api-docs.tsx'
import type { Env } from '../middleware/context.ts'
import { pageOf } from '../middleware/render.tsx'

export const apiDocs = new Hono<Env>().get('/docs', c => c.html(<ApiDocsPage page={pageOf(c)} />))
