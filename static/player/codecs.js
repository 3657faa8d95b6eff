// Finds the codec of an MP4 file that this browser lacks.

/**
 * How a sample entry begins, the name that people know, and a full name, which browsers want.
 * @type {[entry: RegExp, name: string, full: string][]}
 */
const codecs = [
  [/^(hvc1|hev1|dvh1|dvhe)$/, 'HEVC', 'video/mp4; codecs="hvc1.1.6.L93.B0"'],
  [/^av01$/, 'AV1', 'video/mp4; codecs="av01.0.04M.08"'],
  [/^vp09$/, 'VP9', 'video/mp4; codecs="vp09.00.10.08"'],
  [/^avc[13]$/, 'H.264', 'video/mp4; codecs="avc1.42E01E"'],
  [/^mp4v$/, 'MPEG-4 Part 2', 'video/mp4; codecs="mp4v.20.9"'],
  [/^ac-3$/, 'AC-3', 'audio/mp4; codecs="ac-3"'],
  [/^ec-3$/, 'E-AC-3', 'audio/mp4; codecs="ec-3"'],
  [/^Opus$/, 'Opus', 'audio/mp4; codecs="opus"'],
  [/^fLaC$/, 'FLAC', 'audio/mp4; codecs="flac"'],
  [/^mp4a$/, 'AAC', 'audio/mp4; codecs="mp4a.40.2"'],
]

/** The name of the first codec in the beginning of a file that the browser does not play. @param {BufferSource} bytes */
export function missingCodec(bytes) {
  const text = new TextDecoder('latin1').decode(bytes)
  // After its name, `stsd` has a version, a count and a size, of four bytes each.
  for (const [, entry] of text.matchAll(/stsd.{12}(.{4})/gs)) {
    const codec = codecs.find(([known]) => known.test(entry))
    if (codec && document.createElement('video').canPlayType(codec[2]) === '') return codec[1]
  }
  return undefined
}
