/** The entrance of the service: leaves root, prepares the loading of modules, then starts the role that `roles.ts` describes. */
import './runtime/missing-package.ts'
import { environment } from './config/env-file.ts'
import { becomeUser } from './runtime/user.ts'

becomeUser(environment)
const { keepCompiled } = await import('./runtime/modules.ts')
const { startRole } = await import('./roles.ts')
await startRole()
keepCompiled()
