/** On loopback: a site that answers as the test says. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export type Site = { url: string; port: number; asked: string[]; connections: Socket[] }

/** Closed at the end of the test. `asked` has the path of every request that arrived, and `connections` every one that was made. */
export async function siteWith(answer: RequestListener): Promise<Site> {
  const asked: string[] = []
  const connections: Socket[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  }).on('connection', socket => connections.push(socket))
  // Longer than we keep a connection.
  server.keepAliveTimeout = 600_000
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, port, asked, connections }
}
