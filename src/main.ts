/** The entrance of the service: starts the role that `roles.ts` describes. */
import { startRole } from './roles.ts'

await startRole()
