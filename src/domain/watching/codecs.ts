/**
 * Reads the codecs from the beginning of a fragmented MP4, as browsers want them named before they play it (RFC 6381). Pure.
 * Sources: ISO/IEC 14496-12, -14 and -15; "VP Codec ISO Media File Format Binding"; "AV1 Codec ISO Media File Format Binding", 5.
 */

/** The names of the codecs, such as `avc1.64001f, mp4a.40.2`; `undefined`: a codec is not known here. */
export function codecsOf(init: Uint8Array): string | undefined {
  const names = tracksIn(init).map(nameOf)
  return names.length > 0 && names.every(name => name !== undefined) ? names.join(', ') : undefined
}

type Box = { type: string; body: Buffer }

function boxesIn(bytes: Buffer): Box[] {
  const boxes: Box[] = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    if (length < 8 || at + length > bytes.length) break
    boxes.push({ type: bytes.toString('latin1', at + 4, at + 8), body: bytes.subarray(at + 8, at + length) })
    at += length
  }
  return boxes
}

const inside = (boxes: Box[], ...path: string[]): Box[] =>
  path.reduce((found, name) => found.flatMap(({ body }) => boxesIn(body)).filter(({ type }) => type === name), boxes)

/** The sample entry of each track: its type is the codec. */
function tracksIn(init: Uint8Array): Box[] {
  const top = boxesIn(Buffer.from(init.buffer, init.byteOffset, init.byteLength)).filter(({ type }) => type === 'moov')
  // `stsd` begins with eight bytes of its own.
  return inside(top, 'trak', 'mdia', 'minf', 'stbl', 'stsd').flatMap(({ body }) =>
    boxesIn(body.subarray(8)).slice(0, 1),
  )
}

/** Bytes of a sample entry before the boxes in it. */
const entry_bytes = { picture: 78, sound: 28 }

function nameOf({ type, body }: Box): string | undefined {
  const read = readers[type]
  if (!read) return undefined
  const boxes = boxesIn(body.subarray(read.skips))
  const config = boxes.find(box => box.type === read.box)?.body
  return read.name(type, config ?? Buffer.alloc(0))
}

type Reader = { skips: number; box: string; name(type: string, config: Buffer): string | undefined }
const hex = (bytes: Buffer) => bytes.toString('hex')
const two = (number: number) => String(number).padStart(2, '0')

const avc: Reader = {
  skips: entry_bytes.picture,
  box: 'avcC',
  name: (type, config) => (config.length < 4 ? undefined : `${type}.${hex(config.subarray(1, 4))}`),
}
const hevc: Reader = {
  skips: entry_bytes.picture,
  box: 'hvcC',
  // Main or Main 10, and the level; browsers ask for no more.
  name: (type, config) =>
    config.length < 13
      ? undefined
      : `${type}.${(config[1] ?? 0) & 31}.${(config[1] ?? 0) & 31 ? 6 : 0}.L${config[12]}.B0`,
}
const readers: Record<string, Reader> = {
  avc1: avc,
  avc3: avc,
  hev1: hevc,
  hvc1: hevc,
  vp09: {
    skips: entry_bytes.picture,
    box: 'vpcC',
    name: (_, config) =>
      config.length < 7
        ? undefined
        : `vp09.${two(config[4] ?? 0)}.${two(config[5] ?? 0)}.${two((config[6] ?? 0) >> 4)}`,
  },
  av01: {
    skips: entry_bytes.picture,
    box: 'av1C',
    name: (_, config) => (config.length < 4 ? undefined : av1(config[1] ?? 0, config[2] ?? 0)),
  },
  mp4a: { skips: entry_bytes.sound, box: 'esds', name: (_, config) => mp4Audio(config) },
  Opus: { skips: entry_bytes.sound, box: 'dOps', name: () => 'opus' },
  fLaC: { skips: entry_bytes.sound, box: 'dfLa', name: () => 'flac' },
  '.mp3': { skips: entry_bytes.sound, box: '', name: () => 'mp3' },
}

function av1(profile_level: number, flags: number): string {
  const profile = profile_level >> 5
  const depth = !(flags & 0x40) ? 8 : profile === 2 && flags & 0x20 ? 12 : 10
  return `av01.${profile}.${two(profile_level & 31)}${flags & 0x80 ? 'H' : 'M'}.${two(depth)}`
}

/** In `esds`: the type of object is the first byte of the decoder's description (tag 4); the type of AAC is in tag 5. */
function mp4Audio(config: Buffer): string | undefined {
  let object: number | undefined
  // Four bytes of version and flags. A description is in another, so only the heads of the outer ones are skipped.
  for (let at = 4; at + 2 < config.length; ) {
    const tag = config[at++]
    let length = 0
    for (let byte = 0x80; byte & 0x80 && at < config.length; ) {
      byte = config[at++] ?? 0
      length = (length << 7) | (byte & 0x7f)
    }
    if (tag === 3) at += 3
    else if (tag === 4) {
      object = config[at]
      at += 13
    } else if (tag === 5 && object === 0x40) return `mp4a.40.${(config[at] ?? 0) >> 3}`
    else at += length
  }
  if (object === 0x69 || object === 0x6b) return 'mp3'
  return object === undefined ? undefined : `mp4a.${object.toString(16)}`
}
