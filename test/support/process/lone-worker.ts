/** As a process: downloads until it is killed: `lone-worker.ts '{"tools": …, "folder": …}'`. */
import { argv } from 'node:process'
import { addressPolicy } from '../../../src/net/addresses.ts'
import { createDownloader } from '../../../src/ytdlp/fetch/download.ts'

const { tools, folder } = JSON.parse(argv[2] ?? '{}')
await createDownloader({ tools, policy: addressPolicy([]) })({
  url: 'https://example.org/v',
  folder,
  signal: new AbortController().signal,
  onProgress: ({ phase }) => console.log(phase),
})
