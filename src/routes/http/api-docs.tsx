/** The page that shows the OpenAPI document. */
import { Hono } from 'hono'
import { ApiDocsPage } from '../../views/service/api-docs-page.tsx'
import type { Env } from './context.ts'
import { pageOf } from './render.tsx'

export const apiDocsPages = new Hono<Env>().get('/docs', c => c.html(<ApiDocsPage page={pageOf(c)} />))
