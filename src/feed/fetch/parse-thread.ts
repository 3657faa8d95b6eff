/** The thread that `parse-apart` starts: one document in, and what was found in it out, in pieces. */
import { parentPort, workerData } from 'node:worker_threads'
import { DomainError } from '../../errors.ts'
import { piecesOf } from '../../runtime/pieces.ts'
import { parseFeed } from '../formats/parse.ts'
import { choicesOn } from '../pages/page-choices.ts'
import type { ParseNews, ParseTask } from './parse-apart.ts'

const { document, address } = workerData as ParseTask
const say = (news: ParseNews) => parentPort?.postMessage(news)

try {
  if (address === undefined) say({ choices: choicesOn(document) })
  else {
    const { entries, ...feed } = parseFeed(document, address)
    const pieces = piecesOf(entries)
    say({ feed, left: pieces.length })
    parentPort?.on('message', () => say({ entries: pieces.shift() ?? [], left: pieces.length }))
  }
} catch (fault) {
  if (!(fault instanceof DomainError)) throw fault
  say({ refusal: { code: fault.code, message: fault.message } })
}
