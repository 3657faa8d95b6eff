/** The time and the processor time of a start, with everything prepared by an earlier start. */
import { type Bench, compare, type Line, onSides } from '../run/bench.ts'
import { type Running, startOnDeno } from '../run/checkout.ts'
import type { Figure } from '../run/figures.ts'
import type { Side } from '../run/side.ts'

/** Without a database address, the service starts the embedded Postgres. */
const embedded = { DATABASE_URL: '' }

const starts: { what: string; reach: string; start(side: Side): Promise<Running> }[] = [
  { what: 'second start to ready, all in one', reach: '≤ 2 s', start: side => side.start('start', embedded) },
  { what: 'second start of web on Node', reach: '≤ 0.8 s', start: side => side.start('web') },
  {
    what: 'second start of web on Deno',
    reach: '≤ 0.8 s',
    start: side => startOnDeno(side.checkout, 'web', side.variables),
  },
]

export async function start(bench: Bench): Promise<Line[]> {
  const sides = await onSides(bench, async side => side)
  const lines: Line[] = []
  for (const { start, ...line } of starts) {
    const figures = await compare(bench, sides, async (side): Promise<Figure> => {
      const running = await start(side)
      const { cpu_s } = await running.usage()
      await running.stop()
      return { value: running.ready_s, app_ms: cpu_s * 1000 }
    })
    lines.push({ ...line, unit: 's', less: true, ...figures })
  }
  return lines
}
