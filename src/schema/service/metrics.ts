/** What `/metrics` tells Prometheus, before it is text. */

export type Labels = Record<string, string>

/** `value`: in the base unit that the name ends with. */
export type Sample = { labels?: Labels; value: number }

/** `le`: the upper bounds of the buckets, in order. The last of `counts` is above all bounds. */
export type Distribution = { labels: Labels; counts: number[]; sum: number }

/** The name of a counter ends with `_total`. */
export type Metric = { name: string; help: string } & (
  | { type: 'gauge' | 'counter'; samples: Sample[] }
  | { type: 'histogram'; le: number[]; samples: Distribution[] }
)
