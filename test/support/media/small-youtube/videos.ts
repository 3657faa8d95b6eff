/** The page of a video and the answer of YouTube's player, with the refusals that YouTube uses. */

import { type Kind, pictureOf, type SmallCaptions, type SmallChannel, type SmallVideo } from './catalogue.ts'
import { adaptiveFormatsOf } from './formats.ts'
import { potOf } from './pot-provider.ts'

const screen = (reason: string, subreason?: string) => ({
  playerErrorMessageRenderer: {
    reason: { simpleText: reason },
    ...(subreason !== undefined && { subreason: { simpleText: subreason } }),
  },
})
const unavailable = (subreason?: string) => ({
  status: 'ERROR',
  reason: 'Video unavailable',
  errorScreen: screen('Video unavailable', subreason),
})

const refusals: { [kind in Kind]?: object } = {
  members: {
    status: 'UNPLAYABLE',
    reason: 'Join this channel to get access to members-only content like this video, and other exclusive perks.',
  },
  age: { status: 'LOGIN_REQUIRED', reason: 'Sign in to confirm your age', desktopLegacyAgeGateReason: 1 },
  private: {
    status: 'LOGIN_REQUIRED',
    reason: 'Private video',
    errorScreen: screen('Private video', "Sign in if you've been granted access to this video"),
  },
  removed: unavailable('This video has been removed by the uploader'),
  upcoming: {
    status: 'LIVE_STREAM_OFFLINE',
    reason: 'Premieres in 3 days',
    liveStreamability: { liveStreamabilityRenderer: { offlineSlate: {} } },
  },
  ended: { status: 'LIVE_STREAM_OFFLINE', reason: 'This live event has ended.' },
  bot: { status: 'LOGIN_REQUIRED', reason: 'Sign in to confirm you’re not a bot' },
  country: {
    status: 'UNPLAYABLE',
    reason: 'Video unavailable',
    errorScreen: screen('Video unavailable', 'The uploader has not made this video available in your country'),
  },
  copyright: {
    status: 'UNPLAYABLE',
    reason: 'Video unavailable',
    errorScreen: screen(
      'Video unavailable',
      'This video contains content from SME, who has blocked it in your country on copyright grounds',
    ),
  },
  limited: { status: 'UNPLAYABLE', reason: "This content isn't available, try again later." },
}

export type Found = { video: SmallVideo; channel: SmallChannel }

/** `po_token`: the request passes the check for robots with the token of its video. */
type Asking = { is_signed_in: boolean; po_token?: string | undefined }

/** `id`: the one requested; yt-dlp discards an answer about another video. */
export async function playerOf(id: string, found: Found | undefined, { is_signed_in, po_token }: Asking) {
  if (!found) return { playabilityStatus: unavailable(), videoDetails: { videoId: id } }
  const { video, channel } = found
  const is_open =
    (is_signed_in && /^(members|age|private)$/.test(video.kind)) || (video.kind === 'bot' && po_token === potOf(id))
  const refusal = is_open ? undefined : refusals[video.kind]
  return {
    playabilityStatus: refusal ?? { status: 'OK', playableInEmbed: true },
    videoDetails: detailsOf(video, channel),
    microformat: { playerMicroformatRenderer: microformatOf(video, channel) },
    ...(!refusal && {
      streamingData: { formats: [formatOf(video)], adaptiveFormats: await adaptiveFormatsOf(video) },
    }),
    ...(video.captions && { captions: captionsOf(video, video.captions) }),
  }
}

const detailsOf = (video: SmallVideo, channel: SmallChannel) => ({
  videoId: video.id,
  title: video.title,
  lengthSeconds: String(video.kind === 'upcoming' || video.kind === 'live' ? 0 : video.seconds),
  channelId: channel.channel_id,
  author: channel.title,
  shortDescription: `About ${video.title}.`,
  viewCount: '1234',
  isLiveContent: video.tab === 'streams' || /^(live|ended|post_live)$/.test(video.kind),
  ...(video.kind === 'post_live' && { isPostLiveDvr: true }),
  ...(video.kind === 'live' && { isLive: true }),
  ...(video.kind === 'upcoming' && { isUpcoming: true }),
  isPrivate: video.kind === 'private',
  thumbnail: { thumbnails: [{ url: pictureOf(video.id), width: 480, height: 360 }] },
})

function microformatOf(video: SmallVideo, channel: SmallChannel) {
  const at = video.published_at.toISOString().replace(/\.\d+Z$/, '+00:00')
  return {
    uploadDate: at,
    publishDate: at,
    category: 'Education',
    isUnlisted: false,
    isFamilySafe: video.kind !== 'age',
    ownerProfileUrl: `http://www.youtube.com/${channel.handle}`,
    externalChannelId: channel.channel_id,
    ...liveDetailsOf(video, at),
  }
}

function liveDetailsOf({ kind, tab, starts_at }: SmallVideo, at: string) {
  if (kind === 'upcoming' && starts_at)
    return { liveBroadcastDetails: { isLiveNow: false, startTimestamp: starts_at.toISOString() } }
  if (kind === 'live') return { liveBroadcastDetails: { isLiveNow: true, startTimestamp: at } }
  return tab === 'streams' ? { liveBroadcastDetails: { isLiveNow: false, startTimestamp: at, endTimestamp: at } } : {}
}

/** Format 18 needs no token from any client, and a plain address needs no player script. */
const formatOf = ({ id, seconds }: SmallVideo) => ({
  itag: 18,
  url: `https://r1.googlevideo.com/videoplayback?id=${id}&itag=18`,
  mimeType: 'video/mp4; codecs="avc1.42001E, mp4a.40.2"',
  width: 640,
  height: 360,
  fps: 30,
  quality: 'medium',
  qualityLabel: '360p',
  bitrate: 300_000,
  approxDurationMs: String(seconds * 1000),
  audioQuality: 'AUDIO_QUALITY_LOW',
})

/** Also offers translations of automatic captions, as YouTube does. */
const captionsOf = ({ id }: SmallVideo, captions: SmallCaptions[]) => ({
  playerCaptionsTracklistRenderer: {
    captionTracks: captions.map(({ language, automatic = false }) => ({
      baseUrl: `https://www.youtube.com/api/timedtext?v=${id}&lang=${language}${automatic ? '&kind=asr' : ''}`,
      name: { simpleText: language },
      vssId: `${automatic ? 'a' : ''}.${language}`,
      languageCode: language,
      ...(automatic && { kind: 'asr' }),
      isTranslatable: true,
    })),
    translationLanguages: ['en', 'de', 'fr'].map(languageCode => ({
      languageCode,
      languageName: { simpleText: languageCode },
    })),
  },
})

/** `undefined`: there are none. A translation says what it is, so that a test can see that nobody asks for it. */
export function captionText(query: URLSearchParams, found: Found | undefined): string | undefined {
  const track = found?.video.captions?.find(
    ({ language, automatic = false }) => language === query.get('lang') && automatic === (query.get('kind') === 'asr'),
  )
  return query.has('tlang') ? 'WEBVTT\n\n00:00.000 --> 00:01.000\ntranslated\n' : track?.vtt
}

export function watchData(found: Found | undefined) {
  const badges = [{ metadataBadgeRenderer: { style: 'BADGE_STYLE_TYPE_MEMBERS_ONLY', label: 'Members only' } }]
  const primary = found?.video.kind === 'members' ? { badges } : {}
  const owner = { videoOwnerRenderer: { title: { runs: [{ text: found?.channel.title ?? '' }] } } }
  return {
    contents: {
      twoColumnWatchNextResults: {
        results: {
          results: { contents: [{ videoPrimaryInfoRenderer: primary }, { videoSecondaryInfoRenderer: { owner } }] },
        },
      },
    },
  }
}

/** A page of YouTube. With STS set, yt-dlp does not request the player script. */
export function pageWith(data: object, player?: object): string {
  const client = { clientName: 'WEB', clientVersion: '2.20260708.00.00', visitorData: 'visitor' }
  const config = { STS: 20_000, PLAYER_JS_URL: '/s/player/00000000/base.js', INNERTUBE_CONTEXT: { client } }
  const response = player ? `<script>var ytInitialPlayerResponse = ${JSON.stringify(player)};</script>` : ''
  return `<!doctype html><title>YouTube</title><script>ytcfg.set(${JSON.stringify(config)});</script>
<script>var ytInitialData = ${JSON.stringify(data)};</script>${response}`
}
