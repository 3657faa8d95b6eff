import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { sourcesIn } from '../../nets/source.ts'
import { useDatabase } from '../../support/app/database.ts'

const { sql } = useDatabase()

it('graphile-worker is the version whose private tables our queries read', async () => {
  const { dependencies } = JSON.parse(await readFile('package.json', 'utf8')) as {
    dependencies: Record<string, string>
  }
  expect(dependencies['graphile-worker']).toBe('0.18.0')
  const [{ last } = { last: 0 }] = await sql<{ last: number }[]>`select max(id) as last from graphile_worker.migrations`
  expect(last).toBe(20)
})

it('its private tables have the columns that our queries read', async () => {
  const columns = await sql<{ name: string; type: string }[]>`
    select   table_name || '.' || column_name as name, data_type as type
    from     information_schema.columns
    where    table_schema = 'graphile_worker' and table_name in ('_private_jobs', '_private_job_queues', '_private_tasks')`
  expect(Object.fromEntries(columns.map(({ name, type }) => [name, type]))).toMatchObject({
    '_private_jobs.id': 'bigint',
    '_private_jobs.task_id': 'integer',
    '_private_jobs.payload': 'json',
    '_private_jobs.priority': 'smallint',
    '_private_jobs.run_at': 'timestamp with time zone',
    '_private_jobs.attempts': 'smallint',
    '_private_jobs.max_attempts': 'smallint',
    '_private_jobs.job_queue_id': 'integer',
    '_private_jobs.key': 'text',
    '_private_jobs.flags': 'jsonb',
    '_private_jobs.locked_at': 'timestamp with time zone',
    '_private_jobs.is_available': 'boolean',
    '_private_job_queues.id': 'integer',
    '_private_job_queues.queue_name': 'text',
    '_private_tasks.id': 'integer',
    '_private_tasks.identifier': 'text',
  })
})

it('only one file names the private tables', async () => {
  const sources = await sourcesIn('src', 'jobs')
  const naming = sources.filter(({ text }) => /\b_private_\w/.test(text)).map(({ path }) => path)
  expect(naming).toEqual(['src/db/postgres/worker-tables.ts'])
})
