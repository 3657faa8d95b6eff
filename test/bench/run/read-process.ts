/** As a process: requests one file and throws its bytes away. Prints how fast they came. */
import { once } from 'node:events'
import { get } from 'node:http'
import process from 'node:process'

type Read = { url: string; headers: Record<string, string> }
export type ReadResult = { status: number; bytes: number; seconds: number }

process.once('message', async ({ url, headers }: Read) => {
  const began = performance.now()
  const [answer] = await once(get(url, { headers }), 'response')
  let bytes = 0
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  await once(answer, 'end')
  const result: ReadResult = { status: answer.statusCode, bytes, seconds: (performance.now() - began) / 1000 }
  process.send?.(result, () => process.exit())
})
