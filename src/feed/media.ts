/** Media RSS: what RSS and Atom entries alike say of their films and pictures, in a group or on their own. Pure. */
import type { MediaFile } from './entry.ts'
import type { Picture } from './picture.ts'
import { descriptionOf, titleOf } from './text.ts'
import { childrenOf, type Element, textIn } from './xml.ts'

export type Media = {
  files: MediaFile[]
  thumbnails: Picture[]
  players: (string | undefined)[]
  title: string | undefined
  description: string | undefined
}

export function mediaOf(entry: Element): Media {
  const groups = [...childrenOf(entry, 'media:group'), entry]
  const contents = groups.flatMap(group => childrenOf(group, 'media:content'))
  // What stands in a group or a content counts for the entry.
  const places = [...groups, ...contents]
  const all = (name: string) => places.flatMap(place => childrenOf(place, `media:${name}`))
  return {
    files: contents.map(fileOf),
    thumbnails: [
      ...all('thumbnail').map(pictureOf),
      ...contents.filter(content => isImage(content.attributes)).map(pictureOf),
    ],
    players: all('player').map(addressOf),
    title: firstText(all('title'), titleOf),
    description: firstText(all('description'), descriptionOf),
  }
}

/** `url`, or in old feeds the text inside. */
const addressOf = (element: Element) => element.attributes.url ?? textIn(element)

const pictureOf = (element: Element): Picture => ({
  url: addressOf(element),
  width: Number(element.attributes.width) || 0,
})

const isImage = ({ medium, type }: Record<string, string>) => medium === 'image' || /^image\//i.test(type ?? '')

const fileOf = ({ attributes: { url, type, medium, height, bitrate, filesize } }: Element): MediaFile => ({
  url,
  type,
  medium,
  quality: Number(height) || Number(bitrate) || Number(filesize) || 0,
})

function firstText(elements: Element[], read: (text: string, kind: 'html' | 'text') => string | undefined) {
  return elements
    .map(element => read(textIn(element), element.attributes.type === 'plain' ? 'text' : 'html'))
    .find(text => text !== undefined)
}
