/** Writes JSON for Postgres. It refuses half a surrogate pair, which any text from outside may contain, so that becomes U+FFFD. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value)
  // Only half a pair is escaped like this, or text that looks like it. A replacer would make every other call slower.
  return text.includes('\\ud') ? JSON.stringify(value, wellFormed) : text
}

const wellFormed = (_: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)

/** JSON that is serialized already, in UTF-8. */
export class SerializedJson {
  readonly bytes: Uint8Array<ArrayBuffer>

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes
  }

  /** An object; a field that is a `SerializedJson` is copied. */
  static object(fields: Record<string, unknown>): SerializedJson {
    const pieces = Object.entries(fields).flatMap(([name, value], nth) => [
      Buffer.from(`${nth === 0 ? '{' : ','}${JSON.stringify(name)}:`),
      value instanceof SerializedJson ? value.bytes : Buffer.from(JSON.stringify(value)),
    ])
    return new SerializedJson(Buffer.concat([...pieces, Buffer.from('}')]))
  }
}
