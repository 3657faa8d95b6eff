/** Bilibili: its old numbers and the codes that replaced them name the same videos. */
import { listingsByPath, type Platform } from './platform.ts'

export const bilibili: Platform = {
  hosts: /^(?:(?:player|space)\.)?bilibili\.com$|^b23\.tv$/,
  videoIdIn(address) {
    const id = idIn(address)
    return id && `bilibili.${id}`
  },
  listingsIn: address => (address.hostname.startsWith('space.') ? listingsOfPerson(address) : []),
}

const listingsOfPerson = listingsByPath([
  [/^\/(\d{1,20})(?:\/|$)/, person => `https://space.bilibili.com/${person}/video`],
])

function idIn({ pathname, searchParams }: URL): string | undefined {
  const [, code = searchParams.get('bvid') ?? '', number = searchParams.get('aid') ?? '', episode] =
    /^\/(?:video\/)?(?:(BV1[1-9A-Za-z]{9})|av(\d{1,16}))(?:\/|$)|^\/bangumi\/play\/(ep\d{1,12})(?:\/|$)/i.exec(
      pathname,
    ) ?? []
  if (episode !== undefined) return episode.toLowerCase()
  const id = /^BV1[1-9A-Za-z]{9}$/i.test(code)
    ? `BV${code.slice(2)}`
    : /^\d{1,16}$/.test(number)
      ? codeOf(BigInt(number))
      : undefined
  const part = searchParams.get('p') ?? searchParams.get('page') ?? '1'
  return id && (/^[1-9]\d{0,3}$/.test(part) && part !== '1' ? `${id}_p${part}` : id)
}

/** Bilibili's own conversion of a number into a code; undefined for a number that is too large. */
function codeOf(number: bigint): string | undefined {
  if (number >= 1n << 51n) return undefined
  const places = [8, 7, 0, 5, 1, 3, 2, 4, 6]
  const code: string[] = []
  let remainder = ((1n << 51n) | number) ^ 23442827791579n
  for (const place of places) {
    code[place] = digits.charAt(Number(remainder % 58n))
    remainder /= 58n
  }
  return `BV1${code.join('')}`
}
const digits = 'FcwAPNKTMug3GV5Lj7EJnHpWsx4tb8haYeviqBz6rkCy12mUSDQX9RdoZf'
