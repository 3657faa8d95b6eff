/**
 * The choice among a site's formats, as arguments: the best within the chosen quality, or the nearest where there is
 * none.
 *
 * A quality is an order and never a filter: yt-dlp sorts by the chosen height and takes the nearest, so no choice ends
 * in "format not available". Height comes before codec: H.264 and AAC win at the same height, but a 4K video is not
 * given up for them.
 */
import type { Quality } from '../../schema/downloads/quality.ts'

/** `-f` and `-S`. Heights only sort and never filter, so that a video without the chosen height is still downloaded. */
export const formatChoice = (quality: Quality): string[] => ['-f', selectorOf(quality), '-S', orderOf(quality)]

/** Only protocols that use an HTTP proxy: rtmp, rtsp, mms and ftp would bypass ours. */
const proxied = `[protocol~='^(http|m3u8|ism|f4m)']`
const pictures = `bv*${proxied}+ba${proxied}/b${proxied}/bv*${proxied}`
/** Where a site has no separate sound, it is taken from a video. */
const sound = `ba${proxied}/b${proxied}/bv*${proxied}`

const selectorOf = (quality: Quality) => (quality === 'audio' ? sound : pictures)

/**
 * Sorts by original language before dubbed ones, then size, then how widely a format plays. `res` is the shorter side, so that
 * an upright 720×1280 counts as 720; `res:n` prefers the largest up to n, then the smallest above it.
 * Source: yt-dlp README, "Sorting Formats".
 */
function orderOf(quality: Quality): string {
  // The site's own ranking counts before the size only where no size was chosen.
  if (quality === 'best') return `lang,quality,res,${everywhere}`
  // When sound is taken from a video, the smallest video is enough.
  if (quality === 'audio') return 'lang,acodec:aac,quality,abr,+res'
  return `lang,res:${quality},${everywhere},quality`
}

const everywhere = 'vcodec:h264,fps,hdr:12,acodec:aac'
