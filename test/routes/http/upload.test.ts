/** Uploads over real connections: what is left of those that break off or cannot be stored. */
import { existsSync, mkdirSync, readdirSync, readlinkSync, utimesSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { withUpload } from '../../../src/routes/http/upload.ts'
import { serve } from '../../../src/runtime/serve.ts'
import { newFolder } from '../../support/run/new-folder.ts'

let folder = ''
beforeEach(() => {
  folder = newFolder()
  vi.stubEnv('TMPDIR', folder)
})
afterEach(() => vi.unstubAllEnvs())

const in_form = 'multipart/form-data; boundary=b'
const start = (type: string) =>
  type === in_form ? '--b\r\nContent-Disposition: form-data; name="file"; filename="x.zip"\r\n\r\n' : ''
const megabytes = Buffer.alloc(3 * 1024 * 1024, 'x')

/** A server with one route, and a connection that announces 100 MB and sends three. */
async function uploading(type: string) {
  const ended = Promise.withResolvers<unknown>()
  const app = new Hono().post('/', async c => {
    await withUpload(c, async () => {}).then(ended.resolve, ended.resolve)
    return c.body(null)
  })
  const server = await serve(app.fetch, '127.0.0.1', 0)
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: 100000000\r\n\r\n`)
  socket.write(start(type))
  socket.write(megabytes)
  return { socket, ended: ended.promise, close: server.close }
}

const openFiles = () =>
  readdirSync('/proc/self/fd').filter(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
    } catch {
      return false
    }
  })

describe.each([in_form, 'application/zip'])('an upload as %s', type => {
  it.runIf(existsSync('/proc/self/fd'))(
    'an upload that breaks off leaves no file, and none that is deleted but open',
    async () => {
      const { socket, ended, close } = await uploading(type)
      await vi.waitUntil(() => openFiles().length > 0)
      socket.destroy()
      expect(await ended).toBeInstanceOf(Error)
      await vi.waitUntil(() => openFiles().length === 0)
      expect(readdirSync(folder)).toEqual([])
      await close()
    },
  )

  it('an upload that cannot be stored is refused while the client still sends', async () => {
    vi.stubEnv('TMPDIR', join(folder, 'missing'))
    const { socket, ended, close } = await uploading(type)
    expect(await ended).toMatchObject({ code: 'ENOENT' })
    socket.destroy()
    await close()
  })

  it('an upload deletes what a killed process left two hours ago, and nothing newer', async () => {
    for (const name of ['backlot-upload-old', 'backlot-upload-new', 'other']) mkdirSync(join(folder, name))
    const then = Date.now() / 1000 - 3 * 60 * 60
    for (const name of ['backlot-upload-old', 'other']) utimesSync(join(folder, name), then, then)
    const { socket, ended, close } = await uploading(type)
    await vi.waitUntil(() => !existsSync(join(folder, 'backlot-upload-old')))
    socket.destroy()
    await ended
    expect(readdirSync(folder).toSorted()).toEqual(['backlot-upload-new', 'other'])
    await close()
  })
})
