/**
 * How arrays become text for Postgres, and back. The driver would ask each new connection for the types of arrays, before the first
 * statement of ours and without a caller: when that connection is lost, the fault ends the process
 * (github.com/porsager/postgres/issues/1192).
 */
import type { ParsedOptions } from 'postgres'
import { parse } from 'postgres-array'

/** The identifiers of types whose arrays we use, by those of their elements. Source: `pg_type.dat` of PostgreSQL; they never change. */
export const array_types: Record<number, number> = {
  16: 1000, // bool
  17: 1001, // bytea
  20: 1016, // int8
  21: 1005, // int2
  23: 1007, // int4
  25: 1009, // text
  26: 1028, // oid
  114: 199, // json
  700: 1021, // float4
  701: 1022, // float8
  1082: 1182, // date
  1184: 1185, // timestamptz
  2950: 2951, // uuid
  3802: 3807, // jsonb
}

type Types = Pick<ParsedOptions<Record<string, unknown>>, 'parsers' | 'serializers'>

/** Adds the arrays of all types in `array_types`, with the forms that their elements have. */
export function addArrays({ parsers, serializers }: Types): void {
  for (const [element, array] of Object.entries(array_types)) {
    const [read = String, write = String] = [parsers[Number(element)], serializers[Number(element)]]
    parsers[array] = (text: string) => parse(text, read)
    serializers[array] = (values: unknown) => (Array.isArray(values) ? literalOf(values, write) : values)
  }
}

/** `null` in an array is NULL. */
function literalOf(values: unknown[], write: (value: unknown) => unknown): string {
  const parts = values.map(value => {
    if (value === null) return 'null'
    if (value === undefined) throw new TypeError('A value of an array for Postgres is undefined.')
    return Array.isArray(value) ? literalOf(value, write) : `"${String(write(value)).replace(/["\\]/g, '\\$&')}"`
  })
  return `{${parts.join(',')}}`
}
