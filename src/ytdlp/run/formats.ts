/** Which of a site's formats is taken, as data: the best within what was chosen, and the nearest to it where there is none. */
import type { Quality } from '../../schema/quality.ts'

/** `-f` and `-S`. Heights are an order and never a filter, so that a video without the height chosen is still downloaded. */
export const formatChoice = (quality: Quality): string[] => ['-f', selectorOf(quality), '-S', orderOf(quality)]

/** Only what goes through an HTTP proxy: rtmp, rtsp, mms and ftp would leave by themselves. */
const proxied = `[protocol~='^(http|m3u8|ism|f4m)']`
const pictures = `bv*${proxied}+ba${proxied}/b${proxied}/bv*${proxied}`
/** Where sound stands nowhere alone, it is taken out of a picture. */
const sound = `ba${proxied}/b${proxied}/bv*${proxied}`

const selectorOf = (quality: Quality) => (quality === 'audio' ? sound : pictures)

/**
 * The original language before a dubbed one, then size, and of equal size what plays everywhere. `res` is the shorter side,
 * so that an upright 720×1280 is 720 as well; `res:n` is the largest up to n, or the smallest above it.
 * Source: yt-dlp README, "Sorting Formats".
 */
function orderOf(quality: Quality): string {
  // The site's own judgement stands before the size only where no size was asked for.
  if (quality === 'best') return `lang,quality,res,${everywhere}`
  // Out of a picture sound is taken with the least of it.
  if (quality === 'audio') return 'lang,acodec:aac,quality,abr,+res'
  return `lang,res:${quality},${everywhere},quality`
}

const everywhere = 'vcodec:h264,fps,hdr:12,acodec:aac'
