/** Writes the addresses of podcasts as OPML, which podcast apps import. Pure. Source: opml.org/spec2.opml. */
import { cut, max_title } from '../../schema/values/stored.ts'
import { documentOf } from './xml.ts'

export const opmlOf = (podcasts: { title: string; url: string }[]): Promise<string> =>
  documentOf('opml', {
    '@version': '2.0',
    head: { title: 'Podcasts of Backlot' },
    body: {
      outline: podcasts.map(({ title, url }) => ({
        '@type': 'rss',
        '@text': cut(title, max_title),
        '@xmlUrl': url,
      })),
    },
  })
