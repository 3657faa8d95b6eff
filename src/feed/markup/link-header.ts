/** Reads the HTTP header `Link` (RFC 8288). Pure. */
import { attributesIn } from './html.ts'
import { webUrlOf } from './web-url.ts'

export type HeaderLink = { href: string; rel: string; type: string; title: string | undefined }

/** `url`: the document's own. Without `;` and `,` the parameters of a link read like the attributes of a tag. */
export const linksInHeader = (header: string, url: string): HeaderLink[] =>
  Array.from(header.matchAll(/<([^<>]*)>([^<>]*)/g)).flatMap(([, target, parameters = '']) => {
    const href = webUrlOf(target, url)
    if (href === undefined) return []
    const attributes = attributesIn(parameters.replace(/[;,]/g, ' '))
    return [
      { href, rel: attributes.get('rel') ?? '', type: attributes.get('type') ?? '', title: attributes.get('title') },
    ]
  })
