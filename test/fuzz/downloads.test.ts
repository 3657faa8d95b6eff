/** Claims about yt-dlp's output, expressions that people write, pictures, and addresses from people and feeds. */
import fc from 'fast-check'
import { expect } from 'vitest'
import { webUrlOf } from '../../src/feed/markup/web-url.ts'
import { addressOf } from '../../src/feed/pages/given-address.ts'
import { addressPolicy, isPublic } from '../../src/net/addresses.ts'
import { DownloadDetail, DownloadError, Progress } from '../../src/schema/downloads/download.ts'
import { patternOf } from '../../src/schema/rules/rule.ts'
import { hasControls } from '../../src/schema/values/address.ts'
import { emptyTally, markersWith, readLine as read, readOwner, tallied } from '../../src/ytdlp/ask/output.ts'
import { barePicture } from '../../src/ytdlp/convert/bare-picture.ts'
import { cleaned } from '../../src/ytdlp/failures/failure.ts'
import { errorListener, failureOf } from '../../src/ytdlp/failures/read-error.ts'
import { expectQuick } from '../support/app/quick.ts'
import { anyText, claim, few_runs, madeOf, wordOf } from './claims.ts'

const markers = markersWith('5ec7e7'.repeat(5))
const readLine = (text: string) => read(text, markers)
const number = fc.oneof(fc.nat(1000), fc.nat(), fc.double(), fc.constantFrom(0, -1, 1e21, 1e308, null, 'NaN', '12'))
const format_id = fc.constantFrom('137', '140', 'v', null)
const line = fc.oneof(
  fc
    .record({
      format_id,
      requested_formats: fc.option(
        fc.array(fc.record({ format_id, filesize: number, filesize_approx: number, tbr: number }), { maxLength: 3 }),
      ),
    })
    .map(plan => markers.plan + JSON.stringify(plan)),
  fc
    .record({
      format_id,
      progress: fc.record(
        {
          status: fc.constantFrom('downloading', 'finished', 'error'),
          downloaded_bytes: number,
          total_bytes: number,
          total_bytes_estimate: number,
          speed: number,
          eta: number,
          fragment_index: number,
          fragment_count: number,
        },
        { requiredKeys: ['status'] },
      ),
    })
    .map(told => markers.progress + JSON.stringify(told)),
  fc.constantFrom(...Object.values(markers)).chain(marker => fc.oneof(anyText, fc.json()).map(text => marker + text)),
  anyText,
)

claim(
  'the percent of a download is 0 to 100, never falls, never becomes unknown again, and can be stored',
  fc.property(fc.array(line, { maxLength: 40 }), lines => {
    let tally = emptyTally
    for (const text of lines) {
      const read = readLine(text)
      const before = tally.progress.percent
      if (read) tally = tallied(tally, read)
      Progress.parse(tally.progress)
      expect(tally.progress.percent ?? -1).toBeGreaterThanOrEqual(before ?? -1)
    }
  }),
)

const of_removal = [
  'This video has been removed by the uploader',
  'This video is no longer available',
  'due to a copyright claim by Sony',
  'the account associated with this video has been terminated',
  'the uploader has closed their YouTube account',
]
/** Of a place, of other sites, or for now. */
const of_less = [
  'blocked it in your country on copyright grounds',
  'not available in your region',
  'not available from your location due to geo restriction',
  'This video may be deleted or geo-restricted',
  'HTTP Error 451: Unavailable For Legal Reasons',
  'This video contains content from UMG, who has blocked it',
  'Playback on other websites has been disabled by the video owner',
  'Because of its privacy settings, this video cannot be played here',
  'This live event has ended.',
  'The live stream has already ended',
  'We’re processing this video. Check back later.',
  'Premieres in 3 hours',
  'This livestream has not yet started',
  'This show is scheduled to start at 2026-12-01 20:00 JST',
  'This video is only available after 20:00',
  'This video is only available in Sweden',
  'This film cannot be watched outside the United Kingdom',
]
claim(
  'a video that is closed in a place, on other sites or for now is not taken for removed, whatever else its site says',
  fc.property(
    fc.constantFrom(...of_less),
    fc.array(fc.oneof(fc.constantFrom('Video unavailable', ...of_removal), anyText), { maxLength: 4 }),
    fc.nat(4),
    (less, others, at) => {
      const said = `ERROR: [youtube] abc: ${others.toSpliced(at, 0, less).join('. ')}`
      expect(failureOf({ said: said.replaceAll('http', '') }).reason).not.toBe('removed')
    },
  ),
)

const thing = fc.constantFrom('video', 'livestream', 'event', 'programme', 'Space', 'broadcast')
const unborn = fc.oneof(
  thing.map(noun => `This ${noun} has not yet started`),
  thing.map(noun => `The ${noun} hasn’t begun`),
  thing.map(noun => `This ${noun} is scheduled for tomorrow`),
  thing.map(noun => `This ${noun} will be released on Friday`),
  thing.map(noun => `The ${noun} will be available after 2026-12-24`),
  thing.map(noun => `This ${noun} is not available yet. Release date: 2026-12-24`),
  thing.map(noun => `This ${noun} is only available after 21:30`),
)
claim(
  'what begins later is awaited on every site, whatever account or help the same error names',
  fc.property(
    unborn,
    fc.constantFrom(
      '',
      '. Use --cookies for the authentication',
      ' for subscribers only',
      '. Try again later',
      '. Video unavailable',
    ),
    fc.constantFrom('youtube', 'vimeo:event', 'CBC', 'generic'),
    (said, more, extractor) => {
      expect(failureOf({ said: `ERROR: [${extractor}] 4711: ${said}${more}` }).kind).toBe('scheduled')
    },
  ),
)

const shape = fc.constantFrom(...Object.values(markers).map(marker => marker.split(':')[0] ?? ''))
const guess = fc.oneof(
  fc.constantFrom('', ':', ':undefined', ':%s'),
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef') }).map(hex => `:${hex}`),
)
claim(
  'no text from a site or an address is read as a line of ours, because it lacks the secret of the run',
  fc.property(
    fc.array(
      fc.oneof(
        line,
        anyText,
        fc.tuple(shape, guess, fc.json()).map(([kind, secret, json]) => `${kind}${secret}]${json}`),
      ),
    ),
    fc.constantFrom('\n', '\r', '\u2028'),
    (texts, end) => {
      const chosen = texts.join(end)
      const ours = markersWith('0123456789abcdef'.repeat(2))
      for (const text of [chosen, ...chosen.split('\n')]) {
        expect(read(text, ours)).toBeUndefined()
        expect(readOwner(text, ours)).toBeUndefined()
      }
    },
  ),
)

const piece = fc.oneof(
  anyText,
  fc.webPath(),
  fc.constantFrom('%', '%25', '%2', 'é', '字', '%C3%85', '%E3%81%85', '+', '#', '?q='),
)
const printed = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/
const control = fc
  .constantFrom(
    ...Array.from({ length: 32 }, (_, n) => n),
    0x7f,
    ...Array.from({ length: 32 }, (_, n) => 0x80 + n),
    0x2028,
    0x2029,
  )
  .map(code => String.fromCodePoint(code))
claim(
  'an address is refused for a control character, however encoded, and only for one it contains',
  fc.property(
    fc.array(piece),
    fc.array(piece),
    control,
    fc.nat(4),
    fc.constantFrom('/', '/?q=', '/#'),
    (before, after, sign, times, where) => {
      let encoded = encodeURIComponent(sign)
      for (let n = 0; n < times; n++) encoded = encodeURIComponent(encoded)
      // The text before it may end in half an escape, which would change what follows.
      const address = `https://a.example${where}${before.join('')}-${encoded}${after.join('')}`
      expect(hasControls(address)).toBe(true)
      expect(webUrlOf(address)).toBeUndefined()
      expect(() => addressOf(address)).toThrow()

      const passed = webUrlOf(`https://a.example${where}${before.join('')}${after.join('')}`)
      if (passed === undefined) return
      for (let decoded = passed; ; ) {
        expect(decoded).not.toMatch(printed)
        const next = decodedOnce(decoded)
        if (next === decoded) break
        decoded = next
      }
    },
  ),
  few_runs,
)
claim(
  'percent-encoded letters of any script do not count as control characters',
  fc.property(
    fc.string({ unit: 'grapheme' }).filter(text => !printed.test(text) && text.isWellFormed() && !text.includes('%')),
    text => {
      expect(hasControls(`https://a.example/${encodeURIComponent(text)}`)).toBe(false)
    },
  ),
)
/** Decodes like Python's `unquote`. */
function decodedOnce(text: string): string {
  const bytes = (run: string) => Uint8Array.from(run.match(/[0-9a-f]{2}/gi) ?? [], pair => Number.parseInt(pair, 16))
  return text.replace(/(?:%[0-9a-f]{2})+/gi, run => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes(run)))
}

const folder = wordOf('abcXYZ019._-', 1, 8)
const secret = fc.oneof(
  fc.array(folder, { minLength: 2, maxLength: 5 }).map(names => `/${names.join('/')}`),
  fc.array(folder, { minLength: 2, maxLength: 5 }).map(names => `C:\\${names.join('\\')}`),
  fc.ipV4(),
  fc.ipV6().filter(address => address.length > 4),
)

claim(
  'the last message of a tool is shown in at most 2000 characters, without control characters, colours, paths and addresses',
  fc.property(
    fc.array(
      fc.oneof(
        anyText,
        fc.constantFrom(
          ...['ERROR: ', '\u001b[0;31mERROR:\u001b[0m ', '\u009b31m', '\u0000'],
          "'",
          '"',
          '(',
          '\r',
          'HTTP Error 429: ',
          'Retry-After: ',
        ),
      ),
      { maxLength: 6 },
    ),
    secret,
    (said, hidden) => {
      const { sentence, detail } = failureOf({ said: `${said.join(' ')} ${hidden} ${said.join('')}` })
      DownloadError.parse(sentence)
      DownloadDetail.parse(detail)
      expect([...detail].length).toBeLessThanOrEqual(2000)
      expect(`${sentence}${detail}`).not.toMatch(/[\u0000-\u001f\u007f-\u009f]|\p{Surrogate}/u)
      expect(cleaned(`Unable to open ${hidden}, sorry`)).not.toContain(hidden)
      expect(cleaned(`at '${hidden}'`)).not.toContain(hidden)
    },
  ),
)

claim(
  'megabytes of messages are read in time proportional to their length',
  fc.property(
    fc.oneof(
      anyText,
      madeOf(['/', '\\', 'a', '.', ':', '1.', 'file://', 'https://', 'wait ', 'ERROR: [', '] ', ' '], 6),
    ),
    unit => {
      const said = unit.repeat(Math.ceil(20_000 / Math.max(unit.length, 1))).slice(0, 20_000)
      expectQuick(200, () => failureOf({ said }))
    },
  ),
  few_runs,
)

claim(
  'no word of the requested address decides why a download failed, wherever in the address and however encoded',
  fc.property(
    fc.constantFrom(
      'HTTP Error 429',
      'captcha',
      'has been removed',
      'private video',
      'premieres in 2 days',
      'No space left on device',
      'live stream/ has ended',
      'rate/limit',
    ),
    fc.constantFrom('%20x', '%20', '.mp4', ''),
    fc.constantFrom(
      (text: string) => `https://a.example/w/${text}`,
      (text: string) => `https://a.example/watch?v=${text}`,
    ),
    fc.integer({ min: 1, max: 2 }),
    (word, tail, addressOf, times) => {
      const encoded = Array.from({ length: times }).reduce((text: string) => encodeURIComponent(text), `a ${word}`)
      const address = addressOf(`${encoded}${tail}`)
      // As yt-dlp’s `_generic_id` makes it: https://github.com/yt-dlp/yt-dlp/blob/master/yt_dlp/extractor/common.py
      const id = decodeURIComponent(
        address
          .split('/')
          .at(-1)
          ?.replace(/\.[^.]*$/, '') ?? '',
      )
      const errors = errorListener(address)
      errors.hear(`ERROR: [generic] ${id}: Unable to download webpage: [Errno 111] Connection refused`)
      expect(failureOf({ said: errors.said() }).reason).toBe('site_trouble')
    },
  ),
  few_runs,
)

const expression = fc.oneof(
  anyText,
  madeOf(
    [
      '(',
      ')',
      '(?:',
      'a',
      '.',
      '*',
      '+',
      '?',
      '{2}',
      '{10}',
      '{1000}',
      '{1,1000}',
      '[',
      ']',
      '[^a]',
      '|',
      '^',
      '$',
      '\\w',
      '\\pL',
      '\\b',
      '(?i)',
      '\\Q',
      '(?<n>',
    ],
    25,
  ),
  fc.integer({ min: 1, max: 60 }).map(depth => `${'('.repeat(depth)}a${')+'.repeat(depth)}$`),
  fc.integer({ min: 1, max: 12 }).map(depth => `${'('.repeat(depth)}a${'){9}'.repeat(depth)}`),
)
claim(
  'any expression is refused or matches a title quickly',
  fc.property(
    expression,
    fc.oneof(anyText, fc.constant('a'.repeat(5000)), fc.constant(`${'a'.repeat(299)}!`)),
    (written, title) => {
      expectQuick(150, () => patternOf(written)?.(title))
    },
  ),
)

/** Ranges outside the public internet, from IANA's registries, and the metadata hosts of clouds. */
const inside: [network: number[], bits: number][] = [
  ...[[0], [10], [127]].map((network): [number[], number] => [network, 8]),
  [[100, 64], 10],
  [[169, 254], 16],
  [[172, 16], 12],
  [[192, 0, 0], 24],
  [[192, 0, 2], 24],
  [[192, 168], 16],
  [[198, 18], 15],
  [[198, 51, 100], 24],
  [[203, 0, 113], 24],
  [[224], 4],
  [[240], 4],
  [[168, 63, 129, 16], 32],
]
const numberOf = (bytes: number[]) => [0, 1, 2, 3].reduce((sum, n) => sum * 256 + (bytes[n] ?? 0), 0)
const isInside = (address: number) =>
  inside.some(
    ([network, bits]) => Math.floor(address / 2 ** (32 - bits)) === Math.floor(numberOf(network) / 2 ** (32 - bits)),
  )
const insideAddress = fc
  .tuple(fc.constantFrom(...inside), fc.nat(0xffffffff))
  .map(([[network, bits], host]) => numberOf(network) + (host % 2 ** (32 - bits)))
/** 192/8 contains a dozen more small special ranges, so all of it is left out. */
const publicAddress = fc.nat(0xffffffff).filter(address => !isInside(address) && address >>> 24 !== 192)

const bytesOf = (address: number) => [24, 16, 8, 0].map(bits => (address >>> bits) & 255)
const dotted = (address: number) => bytesOf(address).join('.')
const hex = (address: number) => [address >>> 16, address & 0xffff].map(part => part.toString(16)).join(':')
/** The ways a browser reads one IPv4 address. */
const spellings: ((address: number) => string)[] = [
  dotted,
  address => `${dotted(address)}.`,
  String,
  address => `0x${address.toString(16)}`,
  address => `0${address.toString(8)}`,
  address =>
    bytesOf(address)
      .map(byte => `0x${byte.toString(16)}`)
      .join('.'),
  address =>
    bytesOf(address)
      .map(byte => `0${byte.toString(8)}`)
      .join('.'),
  address => `${address >>> 24}.${address & 0xffffff}`,
  address => `${address >>> 24}.0x${((address >>> 16) & 255).toString(16)}.${address & 0xffff}`,
  address => dotted(address).replace(/\d/g, digit => String.fromCodePoint(0xff10 + Number(digit))),
  address => dotted(address).replaceAll('.', '。'),
]
/** IPv6 addresses that contain an IPv4 address. */
const tunnels: ((address: number) => string)[] = [
  address => `::ffff:${dotted(address)}`,
  address => `0:0:0:0:0:FFFF:${hex(address)}`,
  address => `64:ff9b::${hex(address)}`,
  address => `64:ff9b::${dotted(address)}`,
  address => `2002:${hex(address)}::1`,
]

const never = async () => {
  throw new Error('asked a resolver')
}
const policy = addressPolicy([], never)

claim(
  'an address outside the public internet is refused in every spelling',
  fc.asyncProperty(
    insideAddress,
    fc.constantFrom(...spellings, ...tunnels.flatMap(tunnel => [tunnel, (address: number) => `[${tunnel(address)}]`])),
    async (address, spell) => {
      await expect(policy.resolve(spell(address), 80)).rejects.toMatchObject({ code: 'address_refused' })
      expect(isPublic(spell(address))).toBe(false)
    },
  ),
  few_runs,
)

claim(
  'an address of this machine is refused in every spelling, public or not',
  fc.asyncProperty(
    publicAddress,
    fc.constantFrom(...spellings, ...tunnels, ...tunnels.map(tunnel => (address: number) => `[${tunnel(address)}]`)),
    fc.constantFrom(dotted, ...tunnels),
    async (address, spell, noted) => {
      const strict = addressPolicy([], never, () => [noted(address)])
      await expect(strict.resolve(spell(address), 8080)).rejects.toMatchObject({ code: 'address_refused' })
    },
  ),
  few_runs,
)

claim(
  'a public address is allowed in every spelling, and the connection uses it',
  fc.asyncProperty(
    publicAddress,
    fc.constantFrom(...spellings),
    fc.constantFrom(...tunnels),
    async (address, spell, tunnel) => {
      expect(await policy.resolve(spell(address), 443)).toEqual([{ address: dotted(address), family: 4 }])
      expect(await policy.resolve(tunnel(address), 443)).toMatchObject([{ family: 6 }])
    },
  ),
  few_runs,
)

claim(
  'an IPv6 address outside 2000::/3 without a public IPv4 address is refused, and any host is checked or refused',
  fc.asyncProperty(fc.ipV6(), anyText, async (address, host) => {
    const first = Number.parseInt(address.split(':')[0] || '0', 16)
    if (first < 0x2000 && !/^(0*:|::)/.test(address) && !/^0*64:/.test(address)) expect(isPublic(address)).toBe(false)
    if (first >= 0x4000) expect(isPublic(address)).toBe(false)
    await policy
      .resolve(host, 80)
      .catch(fault => expect(fault.message).toMatch(/asked a resolver|does not lead to a public site/))
  }),
  few_runs,
)

type Chunk = [type: string, data: Uint8Array]
const chunksOf = (...types: string[]) =>
  fc.array(fc.tuple(fc.constantFrom(...types), fc.uint8Array({ maxLength: 40 })), { maxLength: 12 })
const cutAnywhere = (written: Buffer, at: number) => written.subarray(0, Math.max(12, Math.floor(written.length * at)))
const anyCut = fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true }))
const uint32 = (number: number) => {
  const four = Buffer.alloc(4)
  four.writeUInt32BE(number)
  return four
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
const pngOf = (chunks: Chunk[]) =>
  Buffer.concat([
    signature,
    ...chunks.flatMap(([type, data]) => [uint32(data.length), Buffer.from(type), data, uint32(0)]),
  ])
const webpOf = (chunks: Chunk[]) => {
  const body = chunks.flatMap(([type, data]) => [
    ...[Buffer.from(type), uint32(data.length).reverse(), data],
    Buffer.alloc(data.length % 2),
  ])
  const size = uint32(4 + Buffer.concat(body).length).reverse()
  return Buffer.concat([Buffer.from('RIFF'), size, Buffer.from('WEBP'), ...body])
}

claim(
  'of a PNG, only the chunks of its picture are left, in their order, whatever else it has and wherever it ends',
  fc.property(
    chunksOf('IHDR', 'PLTE', 'tRNS', 'IDAT', 'zTXt', 'iTXt', 'tEXt', 'iCCP', 'eXIf', 'acTL', 'fdAT', 'zzzz'),
    anyCut,
    (chunks, at) => {
      const picture = chunks.filter(([type]) => /^(IHDR|PLTE|tRNS|IDAT)$/.test(type))
      const whole = pngOf(picture)
      expect(Buffer.from(barePicture(pngOf(chunks), 'png'))).toEqual(whole)
      const cut = Buffer.from(barePicture(cutAnywhere(pngOf(chunks), at), 'png'))
      expect(whole.subarray(0, cut.length)).toEqual(cut)
    },
  ),
)

claim(
  'of a WebP, only the chunks of its picture are left, and no other one is announced',
  fc.property(chunksOf('VP8X', 'VP8 ', 'VP8L', 'ALPH', 'EXIF', 'XMP ', 'ICCP', 'zzzz'), anyCut, (chunks, at) => {
    const picture = chunks
      .filter(([type]) => /^(VP8|ALPH)/.test(type))
      .map(
        ([type, data]): Chunk => [type, type === 'VP8X' ? data.map((byte, n) => (n === 0 ? byte & 0xd3 : byte)) : data],
      )
    expect(Buffer.from(barePicture(webpOf(chunks), 'webp'))).toEqual(webpOf(picture))
    const cut = barePicture(cutAnywhere(webpOf(chunks), at), 'webp')
    expect(cut.length).toBeLessThanOrEqual(Math.max(12, webpOf(picture).length))
  }),
)

/** APP1 with Exif, APP2, a comment. */
const extra = fc
  .tuple(fc.constantFrom(0xe1, 0xe2, 0xfe), fc.constantFrom('Exif\0\0', 'ICC_PROFILE\0', ''), fc.uint8Array())
  .map(([marker, name, data]) => {
    const text = Buffer.concat([Buffer.from(name), data])
    return Buffer.concat([Buffer.from([0xff, marker]), uint32(text.length + 2).subarray(2), text])
  })
/** APP14, a table, a scan with a stuffed FF and a restart marker. */
const part = fc.constantFrom('ffee0003aa', 'ffdb0004bbcc', 'ffda0003ddffd0ff00ee').map(hex => Buffer.from(hex, 'hex'))

claim(
  'of a JPEG, everything but its extras is left, and of those only the orientation',
  fc.property(fc.array(fc.oneof(extra, part), { maxLength: 12 }), anyCut, (parts, at) => {
    const [start, end] = [Buffer.from('ffd8', 'hex'), Buffer.from('ffd9', 'hex')]
    const picture = parts.filter(each => !/^ffe[12]|^fffe/.test(each.toString('hex')))
    const written = Buffer.concat([start, ...parts, end, Buffer.from('a preview')])
    const left = barePicture(written, 'jpeg').length
    const orientations = (left - Buffer.concat([start, ...picture, end]).length) / 36
    expect(Number.isInteger(orientations) && orientations >= 0 && orientations <= parts.length).toBe(true)
    expect(barePicture(cutAnywhere(written, at), 'jpeg').length).toBeLessThanOrEqual(written.length + 360)
  }),
)

claim(
  'any bytes become no longer when the extras of a picture are left out, and a second time changes nothing',
  fc.property(
    fc.constantFrom('png', 'webp', 'avif', 'gif'),
    fc.uint8Array({ minLength: 12, maxLength: 300 }),
    (format, bytes) => {
      const once = barePicture(bytes, format)
      expect(once.length).toBeLessThanOrEqual(bytes.length)
      expect(Buffer.from(barePicture(once, format))).toEqual(Buffer.from(once))
    },
  ),
)
