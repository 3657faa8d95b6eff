/** In this process: the memory that values keep. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes of JavaScript values that are still in use. */
export function bytesInUse(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
