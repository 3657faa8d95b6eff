/** Writes the addresses of podcasts as OPML, which podcast apps import. Pure. Source: opml.org/spec2.opml. */
import { type TitledPodcast, titleInApps } from './feed-xml.ts'
import { documentOf } from './xml.ts'

export const opmlOf = (podcasts: (TitledPodcast & { url: string })[]): Promise<string> =>
  documentOf('opml', {
    '@version': '2.0',
    head: { title: 'Podcasts of Backlot' },
    body: {
      outline: podcasts.map(({ url, ...podcast }) => ({
        '@type': 'rss',
        '@text': titleInApps(podcast),
        '@xmlUrl': url,
      })),
    },
  })
