/** The worker thread of `parse-apart`: reads one document and sends the result, the entries piece by piece. */
import { parentPort, workerData } from 'node:worker_threads'
import { DomainError } from '../../errors.ts'
import { piecesOf } from '../../runtime/json.ts'
import { parseFeed } from '../formats/parse.ts'
import { choicesOn } from '../pages/page-feeds.ts'
import type { ParseMessage, ParseTask } from './parse-apart.ts'

const { document, address } = workerData as ParseTask
const send = (message: ParseMessage) => parentPort?.postMessage(message)

try {
  if (address === undefined) send({ choices: choicesOn(document) })
  else {
    const { entries, ...feed } = parseFeed(document, address)
    const pieces = piecesOf(entries)
    send({ feed, left: pieces.length })
    parentPort?.on('message', () => send({ entries: pieces.shift() ?? [], left: pieces.length }))
  }
} catch (fault) {
  if (!(fault instanceof DomainError)) throw fault
  send({ refusal: { code: fault.code, message: fault.message } })
}
