/** Stored pictures as JPEG, which every podcast app reads. They are stored as WebP, so each one is converted when it is first requested. */
import { readFile } from 'node:fs/promises'
import { boundedCache } from '../../runtime/cache.ts'
import { turnsFor } from '../../runtime/turns.ts'
import { type PictureFormat, pictureFormat } from '../../schema/values/picture.ts'
import type { Files } from '../../store/files.ts'
import { picturePath } from '../../store/paths.ts'

/** `undefined`: the bytes are no picture. Throws while ffmpeg is missing. */
export type JpegConverter = (picture: Uint8Array) => Promise<Uint8Array | undefined>

type Picture = { bytes: Uint8Array; format: PictureFormat }

export type Jpegs = ReturnType<typeof jpegsOf>

/** In place of the id of a picture: the icon of Backlot. */
export const our_icon = 'icon'
const icon = new URL('../../../static/icon-512.png', import.meta.url)

/** Bytes of JPEGs that are remembered: about fifty pictures. */
const max_bytes = 10_000_000

/** A process converts one picture at a time, because a request to an address of a podcast needs no sign-in. */
export function jpegsOf(files: Files, toJpeg: JpegConverter) {
  const known = boundedCache<Picture>(max_bytes)
  const sentence = 'Too many pictures are requested right now. Try again in a moment.'
  const inTurn = turnsFor({ most: 1, waiting: { most: 200, of_one: 60, sentence } })

  const make = async (picture_id: string): Promise<Picture | undefined> => {
    const is_ours = picture_id === our_icon
    const stored = is_ours ? await readFile(icon) : await files.read(picturePath(picture_id, 'large'))
    const format = stored && pictureFormat(stored)
    if (!stored || !format) return undefined
    // Without ffmpeg, an app that reads WebP still has a picture.
    const jpeg = await toJpeg(stored).catch(() => undefined)
    if (!jpeg) return { bytes: stored, format }
    const picture: Picture = { bytes: jpeg, format: 'jpeg' }
    known.keep(picture_id, picture, jpeg.length)
    return picture
  }

  /** `whose`: people take turns. `undefined`: the file is missing. */
  return async (whose: string, picture_id: string): Promise<Picture | undefined> =>
    known.find(picture_id) ?? inTurn(whose, async () => known.find(picture_id) ?? make(picture_id))
}
