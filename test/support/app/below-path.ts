/** Through the app: the addresses of an answer that would lead out of the path below which the service runs. */

/** Attributes that hold words or the paths of forms, which are ours to read and never opened by a browser. */
const of_words = [
  'value',
  'content',
  'title',
  'alt',
  'placeholder',
  'aria-label',
  'aria-keyshortcuts',
  'data-search',
  'd',
  'data-title',
]

/** `text`: the body of the answer. */
export function addressesOutside({ headers }: Response, text: string, base: string): string[] {
  const type = headers.get('content-type') ?? ''
  const strings = /\bjson\b/.test(type) ? stringsIn(JSON.parse(text)) : []
  return [
    ...[...headers].filter(([, value]) => isOutside(value, base)).map(entry => entry.join(': ')),
    ...headers.getSetCookie().filter(line => !line.includes(`; Path=${base}`)),
    ...strings.filter(value => isOutside(value, base)),
    ...(type.startsWith('text/html') ? linksOutside(text, base) : []),
  ]
}

const isOutside = (address: string, base: string) => /^\/(?!\/)/.test(address) && !address.startsWith(`${base}/`)

export const linksOutside = (html: string, base: string): string[] =>
  attributesIn(html)
    .filter(({ value }) => isOutside(value, base))
    .map(({ name, value }) => `${name}="${value}"`)

/** The addresses in the attributes of a page. */
export const linksIn = (html: string): string[] => attributesIn(html).map(({ value }) => value.replaceAll('&amp;', '&'))

/** In an import map, the names count, too. */
function attributesIn(html: string): { name: string; value: string }[] {
  const [, map = '{}'] = /<script type="importmap">(.*?)<\/script>/s.exec(html) ?? []
  const imports = Object.entries((JSON.parse(map) as { imports?: Record<string, string> }).imports ?? {}).flat()
  const attributes = [...html.matchAll(/<[a-z][^<>]*>/gi)].flatMap(([tag]) => [
    ...tag.matchAll(/\s([a-z][\w:-]*)="([^"]*)"/gi),
  ])
  return [
    ...imports.map(value => ({ name: 'import map', value })),
    ...attributes
      .map(([, name = '', value = '']) => ({ name, value }))
      .filter(({ name }) => !of_words.includes(name))
      // Several addresses in one attribute, as in `srcset`.
      .flatMap(({ name, value }) => value.split(/,\s*/).map(one => ({ name, value: one }))),
  ]
}

const stringsIn = (data: unknown): string[] =>
  typeof data === 'string' ? [data] : data && typeof data === 'object' ? Object.values(data).flatMap(stringsIn) : []
