/** The worker thread of `read-list`: reads one file or list, sends its parts one after another, and then the rest. */
import { parentPort, workerData } from 'node:worker_threads'
import { DomainError } from '../../errors.ts'
import type { Sink } from '../../schema/imports/import.ts'
import { parseFile } from './parse-file.ts'
import { parseList } from './parse-list.ts'
import type { ListMessage, ThreadData } from './read-list.ts'

/** Waits until the part is stored, so that only one part is in memory. */
const sink: Sink = part =>
  new Promise(resolve => {
    parentPort?.once('message', () => resolve())
    parentPort?.postMessage({ part } satisfies ListMessage)
  })

parentPort?.postMessage(await read(workerData as ThreadData))

async function read({ given, ...options }: ThreadData): Promise<ListMessage> {
  try {
    if (typeof given === 'string') return { list: parseList(given) }
    return { list: await parseFile(given, { ...options, sink }) }
  } catch (fault) {
    if (!(fault instanceof DomainError)) throw fault
    const { code, message, fields } = fault
    return { refusal: { code, message, fields } }
  }
}
