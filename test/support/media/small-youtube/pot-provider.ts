/**
 * A small provider of PO tokens, which works as bgutil-ytdlp-pot-provider does: a plugin in yt-dlp asks a server on this machine, past any
 * proxy, and that server asks YouTube through the proxy of the run.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'

/** What the small YouTube takes for a proof. The bytes of an id and of the words before it need no padding, which yt-dlp would demand. */
export const potOf = (video_id: string): string => Buffer.from(`not a robot: ${video_id}`).toString('base64url')

type Ask = { content_binding: string; proxy: string }

/** `asked`: the videos. Each token costs a connection to YouTube. */
export async function openPotProvider() {
  const asked: string[] = []
  const server = createServer(async (message, reply) => {
    if (message.url === '/ping') return reply.end('{}')
    const { content_binding, proxy } = (await json(message)) as Ask
    asked.push(content_binding)
    const status = await connectThrough(proxy, 'www.youtube.com:443')
    reply.end(JSON.stringify(status === 200 ? { poToken: potOf(content_binding) } : { error: `proxy said ${status}` }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise<void>(resolve => void server.close(() => resolve()).closeAllConnections())
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

/** The answer of the proxy. */
function connectThrough(proxy: string, path: string): Promise<number | undefined> {
  const { hostname: host, port, username, password } = new URL(proxy)
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const asked = request({ host, port, method: 'CONNECT', path, headers: { 'proxy-authorization': authorization } })
  return new Promise((resolve, reject) => {
    asked.on('connect', (answer: IncomingMessage, socket) => {
      socket.destroy()
      resolve(answer.statusCode)
    })
    asked.on('error', reject).end()
  })
}

/** Writes the plugin into a folder of plugins. */
export async function writePotPlugin(plugins: string): Promise<void> {
  const folder = join(plugins, 'small-pot', 'yt_dlp_plugins', 'extractor')
  await mkdir(folder, { recursive: true, mode: 0o755 })
  await writeFile(join(folder, 'getpot_small.py'), plugin, { mode: 0o644 })
}

const plugin = `
import json

from yt_dlp.extractor.youtube.pot.provider import (
    ExternalRequestFeature,
    PoTokenContext,
    PoTokenProvider,
    PoTokenProviderError,
    PoTokenResponse,
    register_provider,
)
from yt_dlp.extractor.youtube.pot.utils import WEBPO_CLIENTS, get_webpo_content_binding
from yt_dlp.networking.common import Request


@register_provider
class SmallPTP(PoTokenProvider):
    PROVIDER_NAME = 'small'
    PROVIDER_VERSION = '1'
    BUG_REPORT_LOCATION = 'nowhere'
    _SUPPORTED_CLIENTS = WEBPO_CLIENTS
    _SUPPORTED_CONTEXTS = (PoTokenContext.PLAYER,)
    _SUPPORTED_EXTERNAL_REQUEST_FEATURES = (ExternalRequestFeature.PROXY_SCHEME_HTTP,)

    def is_available(self):
        return True

    def _real_request_pot(self, request):
        url = self._configuration_arg('base_url', casesense=True)[0]
        asked = {'content_binding': get_webpo_content_binding(request)[0], 'proxy': request.request_proxy}
        answer = json.load(self._request_webpage(Request(
            url + '/get_pot', data=json.dumps(asked).encode(), proxies={'all': None},
            headers={'Content-Type': 'application/json'})))
        if 'error' in answer:
            raise PoTokenProviderError(answer['error'])
        return PoTokenResponse(po_token=answer['poToken'])
`
