/** Lists the addresses of the picture of a video, by the rules of its platform. */

/** `is_letterboxed`: it has black bars above and below a picture of 16:9. */
export type PictureSource = { url: string; is_letterboxed: boolean }

/**
 * The addresses to try, the best first. YouTube's feeds name `hqdefault.jpg`, which has 480 × 360 pixels with black bars. `hq720.jpg` has
 * 1280 × 720 without bars, but old videos have none; then the named one is fetched, which is one more request.
 */
export function pictureSources(url: string): PictureSource[] {
  const [, start, name = ''] = /^(https?:\/\/i\d?\.ytimg\.com\/vi\/[\w-]{11}\/)(\w+)\.jpg(?:[?#]|$)/.exec(url) ?? []
  const named = { url, is_letterboxed: start !== undefined && letterboxed.has(name) }
  const is_better = start === undefined || better.has(name)
  return is_better ? [named] : [{ url: `${start}hq720.jpg`, is_letterboxed: false }, named]
}

const letterboxed = new Set(['default', 'hqdefault', 'sddefault', '0'])
const better = new Set(['hq720', 'maxresdefault'])
