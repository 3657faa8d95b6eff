/**
 * Writes metrics as text: OpenMetrics, or the older format of Prometheus, which differs in the header of counters and in the last line.
 *
 * Not prom-client: all but one of our metrics are read from the database at a scrape, so its registry would hold nothing; it serves one of
 * the formats only, and brings three more packages.
 */
import type { Labels, Metric } from '../../schema/service/metrics.ts'

export type TextFormat = 'openmetrics' | 'prometheus'

export const types: Record<TextFormat, string> = {
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
}

export function metricsText(metrics: Metric[], format: TextFormat): string {
  const lines = metrics.flatMap(metric => linesOf(metric, format))
  return `${[...lines, ...(format === 'openmetrics' ? ['# EOF'] : [])].join('\n')}\n`
}

function linesOf(metric: Metric, format: TextFormat): string[] {
  const { name, help, type } = metric
  const family = type === 'counter' && format === 'openmetrics' ? name.replace(/_total$/, '') : name
  return [`# HELP ${family} ${escaped(help)}`, `# TYPE ${family} ${type}`, ...samplesOf(metric)]
}

function samplesOf(metric: Metric): string[] {
  if (metric.type !== 'histogram')
    return metric.samples.map(({ labels = {}, value }) => lineOf(metric.name, labels, value))
  // OpenMetrics writes whole bounds as 1.0.
  const bounds = [...metric.le.map(le => (Number.isInteger(le) ? `${le}.0` : `${le}`)), '+Inf']
  return metric.samples.flatMap(({ labels, counts, sum }) => {
    let below = 0
    const buckets = bounds.map((le, at) => {
      below += counts[at] ?? 0
      return lineOf(`${metric.name}_bucket`, { ...labels, le }, below)
    })
    return [...buckets, lineOf(`${metric.name}_sum`, labels, sum), lineOf(`${metric.name}_count`, labels, below)]
  })
}

function lineOf(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`
}

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
