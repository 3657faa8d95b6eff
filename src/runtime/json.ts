/** Writes JSON for Postgres. It refuses half a surrogate pair, which any text from outside may contain, so that becomes U+FFFD. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value)
  // Only half a pair is escaped like this, or text that looks like it. A replacer would make every other call slower.
  return text.includes('\\ud') ? JSON.stringify(value, wellFormed) : text
}

const wellFormed = (_: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)
