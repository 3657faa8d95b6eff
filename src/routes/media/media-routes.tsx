/** The settings page of MEDIA_DIR, the folder for media servers. */
import { type Context, Hono } from 'hono'
import { previewNames } from '../../domain/media/names-preview.ts'
import type { DomainError } from '../../errors.ts'
import { media_path } from '../../schema/http/paths.ts'
import { MediaNamesForm } from '../../schema/values/media-names.ts'
import { MediaPage, NamesPreview } from '../../views/media/media-page.tsx'
import { goTo } from '../http/answers.tsx'
import { type Env, isFragment } from '../http/context.ts'
import { pageOf } from '../http/page.ts'
import { type FormFields, formPage, textIn, valid } from '../http/valid.ts'

export const mediaPages = new Hono<Env>()
  .get('/', async c => {
    const { media_names } = await c.var.library.settings.get()
    return mediaPage(c, media_names)
  })

  .post('/preview', valid('form', MediaNamesForm, namesAgain), async c => {
    const { media_names } = c.req.valid('form')
    if (!isFragment(c)) return mediaPage(c, media_names)
    return c.render(<NamesPreview paths={await previewNames(c.var.library, media_names)} />)
  })

  .post('/', valid('form', MediaNamesForm, namesAgain), async c => {
    await c.var.library.settings.save(c.req.valid('form'))
    return goTo(c, media_path, 'Saved. Your files get these names within minutes.')
  })

async function mediaPage(c: Context<Env>, media_names: string | null): Promise<Response> {
  const [paths, is_kept] = await Promise.all([previewNames(c.var.library, media_names), c.var.library.media.isKept()])
  return c.render(<MediaPage page={pageOf(c)} media_names={media_names ?? ''} paths={paths} is_kept={is_kept} />)
}

async function namesAgain(c: Context<Env>, refusal: DomainError, fields: FormFields): Promise<Response> {
  const error = refusal.fields.media_names
  if (isFragment(c)) return c.render(<NamesPreview error={error} />, refusal.status)
  const form = { media_names: textIn(fields.media_names), is_kept: await c.var.library.media.isKept(), error }
  return formPage(c, <MediaPage page={pageOf(c)} {...form} />, refusal)
}
