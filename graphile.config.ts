/** The configuration of the plain `graphile-worker` command. `npm run worker` runs the same tasks, and recovers from more faults. */
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { WorkerPreset } from 'graphile-worker'
import { crontabFile, runner_options } from './jobs/worker/main.ts'
import { configOfProcess } from './src/config/config.ts'
import { findDatabase } from './src/db/postgres/database.ts'

const config = configOfProcess()
process.umask(config.UMASK)

const preset: GraphileConfig.Preset = {
  extends: [WorkerPreset],
  worker: {
    ...runner_options,
    connectionString: await findDatabase(config),
    concurrentJobs: config.WORKER_CONCURRENCY,
    taskDirectory: fileURLToPath(new URL('jobs/worker/tasks.ts', import.meta.url)),
    crontabFile,
  },
}
export default preset
