/** The tabs of channels and the pages of playlists, in the JSON that YouTube's pages and API use in 2026. */
import {
  ago,
  avatarOf,
  clock,
  isListed,
  pageOf,
  pictureOf,
  type SmallChannel,
  type SmallPlaylist,
  type SmallVideo,
  tabPage,
} from './catalogue.ts'

const tab_titles = { videos: 'Videos', shorts: 'Shorts', streams: 'Live' }

/** The data of a channel's tab. Without videos for it, the channel has no such tab, and YouTube shows its home page. */
export function channelData(channel: SmallChannel, tab: string) {
  const { title, channel_id, handle, videos } = channel
  const names = Object.entries(tab_titles).filter(
    ([name]) => name === 'videos' || videos.some(video => video.tab === name),
  )
  const selected = names.some(([name]) => name === tab) ? tab : 'featured'
  const tabs = [['featured', 'Home'], ...names].map(([name = '', tab_title]) => ({
    tabRenderer: {
      endpoint: { commandMetadata: { webCommandMetadata: { url: `/${handle}/${name}` } } },
      title: tab_title,
      selected: name === selected,
      ...(name === selected &&
        name !== 'featured' && { content: { richGridRenderer: { contents: tabItems(channel, name, 0) } } }),
    },
  }))
  return {
    metadata: {
      channelMetadataRenderer: {
        title,
        externalId: channel_id,
        description: `About ${title}.`,
        vanityChannelUrl: `http://www.youtube.com/${handle}`,
        avatar: { thumbnails: [{ url: avatarOf(channel), width: 900, height: 900 }] },
      },
    },
    contents: { twoColumnBrowseResultsRenderer: { tabs } },
  }
}

export function tabItems(channel: SmallChannel, tab: string, from: number) {
  const { items, next } = tabPage(channel, tab, from)
  const content = (video: SmallVideo) =>
    tab === 'shorts' ? { shortsLockupViewModel: shortOf(video) } : { lockupViewModel: lockupOf(video) }
  return [
    ...items.map(video => ({ richItemRenderer: { content: content(video) } })),
    ...more(next, `tab ${channel.channel_id} ${tab}`),
  ]
}

const more = (next: number | undefined, of: string) =>
  next === undefined
    ? []
    : [{ continuationItemRenderer: { continuationEndpoint: { continuationCommand: { token: `${of} ${next}` } } } }]

/** The answer to a request for the next page. The first item decides how yt-dlp reads the others. */
export const nextPage = (continuationItems: object[]) => ({
  onResponseReceivedActions: [{ appendContinuationItemsAction: { continuationItems } }],
})

function lockupOf(video: SmallVideo) {
  const { id, title } = video
  const text = video.kind === 'upcoming' ? 'Upcoming' : video.kind === 'live' ? 'LIVE' : clock(video.seconds)
  const badgeStyle = `THUMBNAIL_OVERLAY_BADGE_STYLE_${video.kind === 'live' ? 'LIVE' : 'DEFAULT'}`
  const overlay = { thumbnailBottomOverlayViewModel: { badges: [{ thumbnailBadgeViewModel: { text, badgeStyle } }] } }
  const members = { badges: [{ badgeViewModel: { badgeStyle: 'BADGE_MEMBERS_ONLY', badgeText: 'Members only' } }] }
  return {
    contentId: id,
    contentType: 'LOCKUP_CONTENT_TYPE_VIDEO',
    contentImage: {
      thumbnailViewModel: {
        image: { sources: [{ url: pictureOf(id), width: 480, height: 360 }] },
        overlays: [overlay],
      },
    },
    metadata: {
      lockupMetadataViewModel: {
        title: { content: title },
        metadata: {
          contentMetadataViewModel: {
            metadataRows: [...(video.kind === 'members' ? [members] : []), { metadataParts: partsOf(video) }],
          },
        },
      },
    },
  }
}

/** yt-dlp takes the date from the last part of the row whose last part has an accessibility label. */
function partsOf({ kind, tab, published_at }: SmallVideo) {
  if (kind === 'live') return [{ text: { content: '321 watching' } }]
  if (kind === 'upcoming') return [{ text: { content: 'Premieres 12/24/26, 8:00 PM' } }]
  const when = ago(published_at)
  const content = tab === 'streams' ? `Streamed ${when}` : when
  return [{ text: { content: '1234 views' } }, { text: { content }, accessibilityLabel: when }]
}

/** Shorts are listed without length and date. */
const shortOf = ({ id, title }: SmallVideo) => ({
  entityId: `shorts-shelf-item-${id}`,
  onTap: { innertubeCommand: { reelWatchEndpoint: { videoId: id } } },
  overlayMetadata: { primaryText: { content: title }, secondaryText: { content: '1.2K views' } },
  thumbnailViewModel: {
    thumbnailViewModel: { image: { sources: [{ url: pictureOf(id), width: 405, height: 720 }] } },
  },
})

type Find = (id: string) => { video: SmallVideo; channel: SmallChannel } | undefined

export function playlistData(playlist: SmallPlaylist, find: Find) {
  const { list_id, title, channel, video_ids } = playlist
  const contents = playlistItems(playlist, find, 0)
  const section = {
    itemSectionRenderer: { contents: [{ playlistVideoListRenderer: { playlistId: list_id, contents } }] },
  }
  return {
    metadata: { playlistMetadataRenderer: { title, description: '' } },
    header: {
      playlistHeaderRenderer: {
        playlistId: list_id,
        title: { simpleText: title },
        byline: [{ playlistBylineRenderer: { text: { simpleText: `${video_ids.length} videos` } } }],
        ownerText: {
          runs: [
            {
              text: channel.title,
              navigationEndpoint: {
                browseEndpoint: { browseId: channel.channel_id, canonicalBaseUrl: `/${channel.handle}` },
              },
            },
          ],
        },
      },
    },
    contents: {
      twoColumnBrowseResultsRenderer: {
        tabs: [{ tabRenderer: { selected: true, content: { sectionListRenderer: { contents: [section] } } } }],
      },
    },
  }
}

/** YouTube keeps removed and private videos in playlists, without their titles. */
export function playlistItems({ list_id, video_ids }: SmallPlaylist, find: Find, from: number) {
  const { items, next } = pageOf(video_ids, from, 100)
  const rows = items.flatMap(id => {
    const found = find(id)
    return found ? [{ playlistVideoRenderer: playlistVideo(found.video, found.channel) }] : []
  })
  return [...rows, ...more(next, `list ${list_id}`)]
}

function playlistVideo(video: SmallVideo, channel: SmallChannel) {
  const { id, kind, title, seconds, published_at } = video
  if (!isListed(video))
    return { videoId: id, title: { simpleText: kind === 'removed' ? '[Deleted video]' : '[Private video]' } }
  return {
    videoId: id,
    title: { runs: [{ text: title }] },
    thumbnail: { thumbnails: [{ url: pictureOf(id), width: 480, height: 360 }] },
    lengthSeconds: String(seconds),
    videoInfo: { runs: [{ text: '1.2K views' }, { text: ' • ' }, { text: ago(published_at) }] },
    shortBylineText: {
      runs: [{ text: channel.title, navigationEndpoint: { browseEndpoint: { browseId: channel.channel_id } } }],
    },
  }
}
