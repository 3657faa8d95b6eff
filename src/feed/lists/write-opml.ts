/** Writes the followed channels as OPML 2.0, which every feed reader can import. Pure. */

export const our_title = 'Channels followed in Backlot'

/** `now`: the time of the export. Titles are escaped. */
export const opmlOf = (channels: { title: string; rss_url: string }[], now: Date): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0">
  <head>
    <title>${our_title}</title>
    <dateCreated>${now.toUTCString()}</dateCreated>
  </head>
  <body>
${channels.map(outline).join('')}  </body>
</opml>
`

const outline = ({ title, rss_url }: { title: string; rss_url: string }) =>
  `    <outline type="rss" text="${escaped(title)}" title="${escaped(title)}" xmlUrl="${escaped(rss_url)}"/>\n`

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, ' ')
