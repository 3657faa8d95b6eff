/** As a process: a role of the service that stops a download after two seconds of silence: `impatient-role.ts worker`. */
import '../../../src/runtime/modules.ts'

const { startRole } = await import('../../../src/roles.ts')
const { download_limits } = await import('../../../src/ytdlp/process/download-context.ts')
download_limits.silence_s = 2
await startRole()
