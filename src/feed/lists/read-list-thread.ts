/** The thread that `read-list` starts: one list in, one answer out. */
import { parentPort, workerData } from 'node:worker_threads'
import { DomainError } from '../../errors.ts'
import { parseFile } from './parse-file.ts'
import { parseList } from './parse-list.ts'
import type { Answer, Given } from './read-list.ts'

parentPort?.postMessage(await answerTo(workerData as Given))

async function answerTo(given: Given): Promise<Answer> {
  try {
    return { list: typeof given === 'string' ? parseList(given) : await parseFile(given) }
  } catch (fault) {
    if (!(fault instanceof DomainError)) throw fault
    const { code, message, fields } = fault
    return { refused: { code, message, fields } }
  }
}
