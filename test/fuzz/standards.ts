/** Implements two standards independently of the service, so that a test can compare both. */

/** RFC 9110, 14.1.2 and 14.2, for a service that sends one part at a time: for several ranges or an invalid one it sends the whole. */
export function partRange(header: string, size: number): { first: number; last: number } | 'unsatisfiable' | undefined {
  const equals = header.indexOf('=')
  if (equals === -1 || header.slice(0, equals).toLowerCase() !== 'bytes') return undefined
  const spec = trimmed(header.slice(equals + 1))
  const dash = spec.indexOf('-')
  if (dash === -1) return undefined
  const [first, last] = [spec.slice(0, dash), spec.slice(dash + 1)]
  if (!isDigits(first) || !isDigits(last) || first + last === '') return undefined
  const length = BigInt(size)
  if (first === '') {
    const suffix = BigInt(last)
    if (suffix === 0n || length === 0n) return 'unsatisfiable'
    return { first: Number(suffix > length ? 0n : length - suffix), last: Number(length - 1n) }
  }
  if (last !== '' && BigInt(last) < BigInt(first)) return undefined
  if (BigInt(first) >= length) return 'unsatisfiable'
  return { first: Number(first), last: Number(last === '' || BigInt(last) >= length ? length - 1n : BigInt(last)) }
}

const isDigits = (text: string) => [...text].every(letter => letter >= '0' && letter <= '9')
/** OWS: spaces and tabs. */
const trimmed = (text: string) => text.replace(/^[ \t]+|[ \t]+$/g, '')

/** RFC 6266 with RFC 8187, letter by letter. Throws on anything that the grammar does not allow. */
export function readDisposition(header: string): { type: string; filename?: string; extended?: string } {
  let at = 0
  const fault = (what: string) => new Error(`${what} at ${at} of ${header}`)
  const token = () => {
    const start = at
    while (/[!#$%&'*+.^_`|~0-9A-Za-z-]/.test(header.charAt(at))) at++
    if (at === start) throw fault('no token')
    return header.slice(start, at)
  }
  const quoted = () => {
    let text = ''
    for (at++; header.charAt(at) !== '"'; at++) {
      if (at >= header.length) throw fault('no end of a quote')
      if (header.charAt(at) === '\\') at++
      text += header.charAt(at)
    }
    at++
    return text
  }
  const spaces = () => {
    while (/[ \t]/.test(header.charAt(at))) at++
  }
  const found = { type: token() } as { type: string; filename?: string; extended?: string }
  for (spaces(); at < header.length; spaces()) {
    if (header.charAt(at++) !== ';') throw fault('no ;')
    spaces()
    const name = token().toLowerCase()
    if (header.charAt(at++) !== '=') throw fault('no =')
    const value = header.charAt(at) === '"' ? quoted() : token()
    if (name === 'filename' && found.filename === undefined) found.filename = value
    else if (name === 'filename*' && found.extended === undefined) found.extended = unfolded(value)
    else throw fault(`${name} is unknown or twice`)
  }
  return found
}

/** `UTF-8''` and attr-chars or percent signs, which must be UTF-8. */
function unfolded(value: string): string {
  const [, coded] = /^UTF-8'[A-Za-z-]*'((?:[!#$&+.^_`|~0-9A-Za-z-]|%[0-9A-Fa-f]{2})*)$/.exec(value) ?? []
  if (coded === undefined) throw new Error(`no ext-value: ${value}`)
  return decodeURIComponent(coded)
}
