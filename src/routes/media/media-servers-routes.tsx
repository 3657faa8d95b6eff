/** The media servers of a person, and a test of each. No answer has a key. */
import { type Context, Hono } from 'hono'
import {
  addServer,
  changeServer,
  getServer,
  removeServer,
  type ServerManager,
  testServer,
} from '../../domain/media/media-servers.ts'
import { DomainError, type ErrorCode } from '../../errors.ts'
import { media_servers_path, serverPath } from '../../schema/http/paths.ts'
import {
  MediaServer,
  MediaServerChange,
  MediaServerChangeForm,
  MediaServerRequest,
  MediaServers,
  MediaServerTest,
} from '../../schema/media/media-server.ts'
import { MediaServerPage, MediaServersPage } from '../../views/media/media-servers-page.tsx'
import { acknowledge, goTo } from '../http/answers.tsx'
import type { Env } from '../http/context.ts'
import { created, done, ok, operation, validJson } from '../http/operation.ts'
import { pageOf } from '../http/page.ts'
import { errorsAt, type FormFields, formPage, orRefusal, textIn, valid } from '../http/valid.ts'

export const mediaServersApi = (servers: ServerManager) =>
  new Hono<Env>()
    .get('/media-servers', operation('List your media servers', ok(MediaServers, 'The oldest first')), async c =>
      c.json({ media_servers: await c.var.library.servers.list() }),
    )

    .post(
      '/media-servers',
      operation('Add a media server', created(MediaServer, 'The server'), {
        description:
          'It reads your folder in `MEDIA_DIR` again after videos changed there. Every ten minutes, what was watched there counts here, and the other way.',
        errors: [409],
      }),
      validJson(MediaServerRequest),
      async c => c.json(await addServer(servers.secret_key, c.var.library, c.req.valid('json')), 201),
    )

    .patch(
      '/media-servers/:server_id',
      operation('Change a media server', ok(MediaServer, 'The server'), { errors: [409] }),
      validJson(MediaServerChange),
      async c => {
        const { server_id } = c.req.param()
        return c.json(await changeServer(servers.secret_key, c.var.library, server_id, c.req.valid('json')))
      },
    )

    .delete('/media-servers/:server_id', operation('Remove a media server', done('Removed')), c =>
      acknowledge(c, removeServer(c.var.library, c.req.param('server_id'))),
    )

    .post(
      '/media-servers/:server_id/test',
      operation('Ask a media server now', ok(MediaServerTest, 'Whether it works, in words'), { errors: [429] }),
      async c => c.json(await testServer(servers, c.var.library, c.req.param('server_id'))),
    )

export function mediaServerPages(servers: ServerManager) {
  const { secret_key } = servers

  const listPage = async (c: Context<Env>, refusal?: DomainError, fields: FormFields = {}) => {
    const form = { values: valuesOf(fields), errors: errorsAt('body', refusal) }
    const props = { page: pageOf(c), servers: await c.var.library.servers.list(), can_store: secret_key !== undefined }
    return formPage(c, <MediaServersPage {...props} form={form} />, refusal)
  }
  const onePage = async (c: Context<Env>, refusal?: DomainError, fields?: FormFields) => {
    const server = await getServer(c.var.library, c.req.param('server_id') ?? '')
    const form = { values: valuesOf(fields ?? server), errors: errorsAt('body', refusal) }
    return formPage(c, <MediaServerPage page={pageOf(c)} server={server} form={form} />, refusal)
  }

  return new Hono<Env>()
    .get('/', c => listPage(c))

    .post('/', valid('form', MediaServerRequest, listPage), async c => {
      const added = await orRefusal(addServer(secret_key, c.var.library, c.req.valid('form')), refusals)
      if (added instanceof DomainError) return listPage(c, added, await c.req.parseBody())
      return goTo(c, serverPath(added), 'Added. Test it to see whether it answers.')
    })

    .get('/:server_id', c => onePage(c))

    .post('/:server_id', valid('form', MediaServerChangeForm, onePage), async c => {
      const changing = changeServer(secret_key, c.var.library, c.req.param('server_id'), c.req.valid('form'))
      const changed = await orRefusal(changing, refusals)
      if (changed instanceof DomainError) return onePage(c, changed, await c.req.parseBody())
      return goTo(c, serverPath(changed), 'Saved.')
    })

    .post('/:server_id/test', async c => {
      const server_id = c.req.param('server_id')
      const result = await orRefusal(testServer(servers, c.var.library, server_id), ['too_many'])
      if (result instanceof DomainError) return goTo(c, serverPath({ server_id }), result)
      return goTo(c, serverPath({ server_id }), { kind: result.works ? 'done' : 'problem', text: result.detail })
    })

    .post('/:server_id/remove', async c => {
      await removeServer(c.var.library, c.req.param('server_id'))
      return goTo(c, media_servers_path, 'Removed. What was watched stays on both sides.')
    })
}

const refusals: ErrorCode[] = ['conflict', 'invalid']

/** The fields as they were typed, to be shown again; never the key. */
const valuesOf = (fields: FormFields) => ({
  kind: textIn(fields.kind, 'jellyfin'),
  address: textIn(fields.address).slice(0, 4096),
  person: textIn(fields.person).slice(0, 100),
})
