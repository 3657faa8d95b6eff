/**
 * As a process: a role of the service that makes no pause between two downloads from a host: `impatient-role.ts worker`. SILENCE_S: seconds
 * of silence after which it stops a download.
 */
import { env } from 'node:process'
import '../../../src/runtime/modules.ts'

const { startRole } = await import('../../../src/roles.ts')
const { download_limits } = await import('../../../src/ytdlp/process/download-context.ts')
download_limits.silence_s = Number(env.SILENCE_S ?? download_limits.silence_s)
await startRole({ host_pause_seconds: 0 })
