/** The entrance of the service: leaves root, prepares the loading of modules, then starts the role that `roles.ts` describes. */
import './runtime/missing-package.ts'
import process from 'node:process'
import { becomeUser } from './runtime/user.ts'

becomeUser(process.env)
const { keepCompiled } = await import('./runtime/modules.ts')
const { startRole } = await import('./roles.ts')
await startRole()
keepCompiled()
