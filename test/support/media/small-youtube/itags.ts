/** The separate pictures and sounds of YouTube, by their numbers, and the arguments with which ffmpeg makes a small film of each. */

/** Seconds of each of these films. */
export const itag_s = 1

type Picture = { width: number; height: number; quality: string }
export type Itag = { itag: number; mime: string; picture?: Picture; args: string[] }

/** Splits a command line. No argument here contains a space. */
const words = (line: string) => line.split(' ')

// Five pictures a second, because encoders of newer codecs are slow.
const picture = ({ width, height }: Picture) =>
  words(`-f lavfi -i testsrc=size=${width}x${height}:rate=5:duration=${itag_s}`)
const sound = words(`-f lavfi -i sine=frequency=440:duration=${itag_s}`)
const h264 = words('-c:v libx264 -preset ultrafast -pix_fmt yuv420p')
const vp9 = words('-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 300k')
const av1 = words('-c:v libaom-av1 -cpu-used 8 -usage realtime -b:v 300k')
const fragments = words('-movflags +frag_keyframe+empty_moov+default_base_moof')

const hd720 = { width: 1280, height: 720, quality: 'hd720' }
const hd1080 = { width: 1920, height: 1080, quality: 'hd1080' }
const hd1440 = { width: 2560, height: 1440, quality: 'hd1440' }
const hd2160 = { width: 3840, height: 2160, quality: 'hd2160' }

const film = (itag: number, mime: string, size: Picture, codec: string[]): Itag => ({
  itag,
  mime,
  picture: size,
  args: [...picture(size), ...codec, ...(mime.includes('mp4') ? fragments : []), pathOf({ itag, mime }).slice(1)],
})

const tone = (itag: number, mime: string, codec: string[]): Itag => ({
  itag,
  mime,
  args: [...sound, ...codec, ...(mime.includes('mp4') ? fragments : []), pathOf({ itag, mime }).slice(1)],
})

/** The name of the film in `films.ts`. */
export const pathOf = ({ itag, mime }: Pick<Itag, 'itag' | 'mime'>): string =>
  `/youtube/${itag}.${mime.includes('mp4') ? 'mp4' : 'webm'}`

export const itags: Itag[] = [
  film(136, 'video/mp4; codecs="avc1.4d401f"', hd720, h264),
  film(137, 'video/mp4; codecs="avc1.640028"', hd1080, h264),
  film(248, 'video/webm; codecs="vp9"', hd1080, vp9),
  film(271, 'video/webm; codecs="vp9"', hd1440, vp9),
  film(313, 'video/webm; codecs="vp9"', hd2160, vp9),
  film(399, 'video/mp4; codecs="av01.0.08M.08"', hd1080, av1),
  tone(140, 'audio/mp4; codecs="mp4a.40.2"', words('-c:a aac -b:a 128k')),
  // YouTube's WebM names no language, which means English in this format, whatever is spoken.
  tone(251, 'audio/webm; codecs="opus"', words('-c:a libopus -metadata:s:a:0 language=eng')),
]
