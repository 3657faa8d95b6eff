/** The feeds of the small YouTube: the fifteen newest videos of a channel, or the first fifteen of a playlist. */
import { isListed, pictureOf, type SmallChannel, type SmallVideo } from './catalogue.ts'

export type FeedOf = { title: string; channel: SmallChannel; list_id?: string; videos: SmallVideo[] }

export function atomOf({ title, channel, list_id, videos }: FeedOf): string {
  const query = list_id ? `playlist_id=${list_id}` : `channel_id=${channel.channel_id}`
  const entries = videos
    .filter(isListed)
    .slice(0, 15)
    .map(video => entryOf(video, channel))
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/" xmlns="http://www.w3.org/2005/Atom">
 <link rel="self" href="http://www.youtube.com/feeds/videos.xml?${query}"/>
 <id>yt:${list_id ? `playlist:${list_id}` : `channel:${channel.channel_id.slice(2)}`}</id>
 ${list_id ? `<yt:playlistId>${list_id}</yt:playlistId>` : ''}
 <yt:channelId>${channel.channel_id.slice(2)}</yt:channelId>
 <title>${escaped(title)}</title>
 <link rel="alternate" href="https://www.youtube.com/channel/${channel.channel_id}"/>
 <author><name>${escaped(channel.title)}</name><uri>https://www.youtube.com/channel/${channel.channel_id}</uri></author>
 <published>2015-01-01T00:00:00+00:00</published>
 ${entries.join('\n ')}
</feed>`
}

function entryOf({ id, title, tab, published_at }: SmallVideo, { channel_id, title: author }: SmallChannel): string {
  const page = tab === 'shorts' ? `https://www.youtube.com/shorts/${id}` : `https://www.youtube.com/watch?v=${id}`
  const at = published_at.toISOString().replace(/\.\d+Z$/, '+00:00')
  return `<entry><id>yt:video:${id}</id><yt:videoId>${id}</yt:videoId><yt:channelId>${channel_id}</yt:channelId>
  <title>${escaped(title)}</title><link rel="alternate" href="${page}"/>
  <author><name>${escaped(author)}</name></author><published>${at}</published><updated>${at}</updated>
  <media:group><media:title>${escaped(title)}</media:title><media:thumbnail url="${pictureOf(id)}" width="480" height="360"/>
  <media:description>About ${escaped(title)}.</media:description></media:group></entry>`
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
