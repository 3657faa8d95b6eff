/**
 * Reads the name in the header by which a proxy says who sends a request. `routes/http/proxy-sign-in.ts` decides from whom the header
 * is believed.
 */
import { type Identity, namesOnePerson } from '../schema/account/identity.ts'

/** Longer names are refused. Counted in UTF-16 units. */
const max_length = 255

/**
 * The name, compared exactly: case counts, and nothing in it is decoded, so that no other spelling is the same person. HTTP gives the
 * bytes of UTF-8 as one character each. `undefined`: the proxy has signed no one in. `null`: it is not certain whom the value names. A
 * comma is in a list, to which a client may have added its own name.
 */
export function nameIn(value: string): string | undefined | null {
  const given = value.trim()
  if (given === '') return undefined
  const name = decodeUtf8(given)
  return name === null || name.length > max_length || name.includes(',') || !namesOnePerson(name) ? null : name
}

/** `null`: the bytes are not UTF-8. */
function decodeUtf8(bytes: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'))
  } catch {
    return null
  }
}

/** The issuer is the header, so that a name in another header is another identity. */
export const headerIdentity = (header: string, name: string): Identity => ({
  issuer: `header:${header.toLowerCase()}`,
  subject: name,
  name,
})
