/** The tasks for the plain `graphile-worker` command; `graphile.config.ts` names this file. */
import { configOfProcess } from '../../src/config/config.ts'
import { connect } from '../../src/db/postgres/client.ts'
import { findDatabase } from '../../src/db/postgres/database.ts'
import { createLog } from '../../src/runtime/log.ts'
import { workerParts } from './parts.ts'
import { allTasks } from './runners.ts'

const config = configOfProcess()
// The command exits once no connection keeps it alive, and is killed after a second.
const sql = connect(await findDatabase(config), { idle_timeout_s: 0.3 })
export default allTasks(workerParts(config, sql, createLog(config.LOG_LEVEL)))
