/** The results of a search for channels, in the JSON that YouTube's API uses in 2026. */
import { avatarOf, type SmallChannel } from './catalogue.ts'

/** Channels whose title contains the words. */
export const searchData = (words: string, channels: SmallChannel[]) => ({
  contents: {
    twoColumnSearchResultsRenderer: {
      primaryContents: {
        sectionListRenderer: {
          contents: [
            {
              itemSectionRenderer: {
                contents: channels
                  .filter(({ title }) => title.toLowerCase().includes(words.toLowerCase()))
                  .map(channel => ({ channelRenderer: rendererOf(channel) })),
              },
            },
          ],
        },
      },
    },
  },
})

/** YouTube gives the handle where the number of subscribers was. */
const rendererOf = (channel: SmallChannel) => ({
  channelId: channel.channel_id,
  title: { simpleText: channel.title },
  navigationEndpoint: {
    commandMetadata: { webCommandMetadata: { url: `/${channel.handle}` } },
    browseEndpoint: { browseId: channel.channel_id, canonicalBaseUrl: `/${channel.handle}` },
  },
  thumbnail: { thumbnails: [{ url: avatarOf(channel), width: 88, height: 88 }] },
  descriptionSnippet: { runs: [{ text: `About ${channel.title}.` }] },
  subscriberCountText: { simpleText: channel.handle },
  videoCountText: { simpleText: '1.2K subscribers' },
})
