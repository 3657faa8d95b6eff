/** The thread that `parse-apart` starts: one document in, one answer out. */
import { parentPort, workerData } from 'node:worker_threads'
import { DomainError } from '../errors.ts'
import { parseFeed } from './parse.ts'
import type { ParseAnswer, ParseTask } from './parse-apart.ts'

const { document, address } = workerData as ParseTask
parentPort?.postMessage(answer())

function answer(): ParseAnswer {
  try {
    return { feed: parseFeed(document, address) }
  } catch (fault) {
    if (!(fault instanceof DomainError)) throw fault
    return { refusal: { code: fault.code, message: fault.message } }
  }
}
