/** The entrance of the service: prepares the loading of modules, then starts the role that `roles.ts` describes. */
import { keepCompiled } from './runtime/modules.ts'

const { startRole } = await import('./roles.ts')
await startRole()
keepCompiled()
