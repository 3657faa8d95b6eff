/** Prometheus reads the metrics of a real service, and its tools read them and the alert rules of docs/administration.md. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { useDatabase } from '../support/app/database.ts'
import { metrics_token, samplesIn } from '../support/app/metrics.ts'
import { start } from '../support/process/processes.ts'
import { prometheus_is_here, promtool, recipes, startPrometheus } from '../support/process/prometheus.ts'
import { useService } from '../support/process/service.ts'
import { sectionOf } from '../support/run/documents.ts'

const db = useDatabase()
const service = useService(db, { has_worker: true })
const runtimes = ['node', 'deno'] as const
beforeAll(async () => {
  await vi.waitFor(async () => expect(await db.sql`select from workers where report is not null`).toHaveLength(1))
})

const metricsOf = async (url: string, accept = '*/*') =>
  (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metrics_token}`, accept } })).text()

const familiesIn = (text: string) => [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name)

it('docs/administration.md names every metric, and no other', async () => {
  const section = sectionOf(await readFile('docs/administration.md', 'utf8'), 'Metrics')
  const named = [...section.matchAll(/^\| .*$/gm)].flatMap(([row]) => row.match(/\b(?:backlot|process)_\w+/g) ?? [])
  expect(named.length).toBeGreaterThan(30)
  const of_embedded = ['backlot_database_disk_free_bytes', 'backlot_database_disk_size_bytes']
  const families = [...familiesIn(await metricsOf(service.web.url)), ...of_embedded]
  expect(named.toSorted()).toEqual(families.toSorted())
})

describe.skipIf(!prometheus_is_here)('Prometheus', () => {
  it.each(runtimes)('promtool finds nothing wrong with the metrics on %s', async on => {
    const running = on === 'node' ? service.web : await start('web', { env: service.env, on })
    const text = await metricsOf(running.url)
    expect(familiesIn(text)).toContain('backlot_event_loop_delay_seconds')
    expect(await promtool(['check', 'metrics'], text)).toEqual({ code: 0, said: '' })
    if (on !== 'node') await running.stop()
  })

  it('a Prometheus with the scrape configuration reads every series', async () => {
    const prometheus = await startPrometheus(service.web.url, metrics_token)
    type Target = { health: string; lastError: string }
    await vi.waitFor(
      async () => {
        const { activeTargets } = (await prometheus.get('/api/v1/targets')) as { activeTargets: Target[] }
        expect(activeTargets).toMatchObject([{ health: 'up', lastError: '' }])
      },
      { timeout: 60_000 },
    )
    const { result } = (await prometheus.get('/api/v1/query?query=backlot_workers')) as {
      result: { value: unknown[] }[]
    }
    expect(result.map(({ value }) => value[1])).toEqual(['1'])
    const names = (await prometheus.get('/api/v1/label/__name__/values')) as string[]
    const own = Object.keys(samplesIn(await metricsOf(service.web.url))).map(series => series.replace(/\{.*/, ''))
    expect(names).toEqual(expect.arrayContaining([...new Set(own)]))
    await prometheus.stop()
  })

  /** What each rule notices, as series of a service in which it is wrong for an hour. */
  const wrong: Record<string, string[]> = {
    BacklotDatabaseTrouble: ['backlot_database_writable 0'],
    BacklotWorkerGone: ['backlot_workers 0'],
    BacklotFeedsLate: ['backlot_feeds_late_seconds 4000'],
    BacklotDownloadsFailing: [
      'backlot_downloads_failed_last_hour{cause="site"} 20',
      'backlot_downloads_completed_last_hour 3',
    ],
    BacklotStorageAway: ['backlot_storage_up 0'],
    BacklotDiskFilling: ['backlot_disk_free_bytes 4', 'backlot_disk_size_bytes 100'],
    BacklotSlowRequests: [
      'backlot_http_request_duration_seconds_bucket{kind="requests",le="1.0"} 0+1x70',
      'backlot_http_request_duration_seconds_bucket{kind="requests",le="5.0"} 0+10x70',
      'backlot_http_request_duration_seconds_bucket{kind="requests",le="+Inf"} 0+10x70',
    ],
  }
  /** The same series of a service that is well. */
  const well = [
    'backlot_database_up 1',
    'backlot_workers 2',
    'backlot_feeds_late_seconds 30',
    'backlot_downloads_failed_last_hour{cause="site"} 2',
    'backlot_downloads_failed_last_hour{cause="video"} 200',
    'backlot_downloads_completed_last_hour 50',
    'backlot_storage_up 1',
    'backlot_workers_in_trouble{lack="tools"} 0',
    'backlot_disk_free_bytes 40',
    'backlot_disk_size_bytes 100',
    'backlot_http_request_duration_seconds_bucket{kind="requests",le="1.0"} 0+10x70',
    'backlot_http_request_duration_seconds_bucket{kind="requests",le="+Inf"} 0+10x70',
  ]

  /** In one service after the other, exactly the expected alert fires. */
  const testOf = (series: string[], rules: string[], firing?: string) => ({
    interval: '1m',
    input_series: series.map(line => {
      const [name = '', values = ''] = line.split(' ')
      return { series: name, values: values.includes('x') ? values : `${values}x70` }
    }),
    alert_rule_test: rules.map(alertname => ({
      eval_time: '60m',
      alertname,
      exp_alerts: alertname === firing ? [{}] : [],
    })),
  })

  it('each alert rule fires when its fault lasts, and none fires in a service that is well', async () => {
    const { rules } = await recipes()
    const file = join(service.folder, 'rules.yml')
    await writeFile(file, rules)
    expect(await promtool(['check', 'rules', file])).toMatchObject({ code: 0 })
    const names = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)
    expect(Object.keys(wrong).toSorted()).toEqual(names.toSorted())
    const tests = [testOf(well, names), ...Object.entries(wrong).map(([name, series]) => testOf(series, names, name))]
    // JSON is YAML, too.
    await writeFile(join(service.folder, 'tests.yml'), JSON.stringify({ rule_files: [file], tests }))
    const { code, said } = await promtool(['test', 'rules', join(service.folder, 'tests.yml')])
    expect([code, said]).toEqual([0, expect.stringContaining('SUCCESS')])
  })
})
