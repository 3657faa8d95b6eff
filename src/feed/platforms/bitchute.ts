/** BitChute: the feeds of channels. */
import { feedsByPath, type Platform, videoIdByPath } from './platform.ts'

export const bitchute: Platform = {
  hosts: /^bitchute\.com$/,
  feedsIn: feedsByPath([
    [/^\/channel\/([\w-]{1,100})(?:\/|$)/, 'channel', id => `https://api.bitchute.com/feeds/rss/channel/${id}`],
  ]),
  videoIdIn: videoIdByPath('bitchute', /^\/(?:video|embed)\/([A-Za-z0-9_-]{8,20})(?:\/|$)/),
}
