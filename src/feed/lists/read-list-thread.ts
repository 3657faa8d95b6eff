/** The worker thread of `read-list`: reads one list and sends one message. */
import { parentPort, workerData } from 'node:worker_threads'
import { DomainError } from '../../errors.ts'
import { parseFile } from './parse-file.ts'
import { parseList } from './parse-list.ts'
import type { Given, ListMessage } from './read-list.ts'

parentPort?.postMessage(await read(workerData as Given))

async function read(given: Given): Promise<ListMessage> {
  try {
    return { list: typeof given === 'string' ? parseList(given) : await parseFile(given) }
  } catch (fault) {
    if (!(fault instanceof DomainError)) throw fault
    const { code, message, fields } = fault
    return { refusal: { code, message, fields } }
  }
}
