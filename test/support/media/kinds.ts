/** The twelve kinds of files of which docs/television-and-podcasts.md says where they play, each as a real file of a few frames. */

const words = (line: string) => line.split(' ')

/** `frames`: few, because encoders of newer codecs are slow. */
const picture = (size: string, rate = 30) => words(`-f lavfi -i testsrc=size=${size}:rate=${rate}:duration=0.2`)
const sound = words('-f lavfi -i sine=frequency=440:duration=1')
const aac = words('-c:a aac -b:a 64k')
const front = words('-movflags +faststart')
const h264 = words('-c:v libx264 -preset ultrafast -pix_fmt yuv420p')
const h264_10 = words('-c:v libx264 -preset ultrafast -pix_fmt yuv420p10le')
const hevc = words('-c:v libx265 -preset ultrafast -tag:v hvc1 -x265-params log-level=none -pix_fmt yuv420p')
const hdr = 'log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc'
const hevc_hdr = [
  ...words(`-c:v libx265 -preset ultrafast -tag:v hvc1 -x265-params ${hdr} -pix_fmt yuv420p10le`),
  ...words('-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc'),
]
const vp9 = words('-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 500k -pix_fmt yuv420p')
const av1 = words('-c:v libaom-av1 -cpu-used 8 -usage realtime -b:v 500k -pix_fmt yuv420p')
const [full_hd, ultra_hd] = ['1920x1080', '3840x2160']

/** `name`: as that guide has it. `words`: as cards have it. */
export type Kind = { name: string; path: string; words: string; args: string[] }

const film = (name: string, path: string, shown: string, ...args: string[][]): Kind => ({
  name,
  path: `/kinds/${path}`,
  words: shown,
  args: [...args.flat(), ...front, `kinds/${path}`],
})

export const kinds: Kind[] = [
  film('H.264, 1080p', 'h264.mp4', '1080p · H.264', picture(full_hd), sound, h264, aac),
  film('H.264, 1080p60', 'h264-60.mp4', '1080p60 · H.264', picture(full_hd, 60), sound, h264, aac),
  film('H.264, 4K', 'h264-4k.mp4', '2160p · H.264', picture(ultra_hd), sound, h264, aac),
  film('H.264, 10 bits', 'h264-10.mp4', '1080p · H.264', picture(full_hd), sound, h264_10, aac),
  film('HEVC', 'hevc.mp4', '1080p · HEVC', picture(full_hd), sound, hevc, aac),
  film('HEVC, 10 bits, HDR', 'hevc-hdr.mp4', '1080p HDR · HEVC', picture(full_hd), sound, hevc_hdr, aac),
  film('VP9, 1080p', 'vp9.mp4', '1080p · VP9', picture(full_hd), sound, vp9, aac),
  film('VP9, 4K', 'vp9-4k.mp4', '2160p · VP9', picture(ultra_hd), sound, vp9, aac),
  film('AV1, 1080p', 'av1.mp4', '1080p · AV1', picture(full_hd), sound, av1, aac),
  film('AV1, 4K', 'av1-4k.mp4', '2160p · AV1', picture(ultra_hd), sound, av1, aac),
  film('H.264 with Opus', 'h264-opus.mp4', '1080p · H.264', picture(full_hd), sound, h264, words('-c:a libopus')),
  film('Sound: AAC, or MP3', 'sound.m4a', 'AAC', sound, aac, words('-vn')),
]

/** German, and then English with a name. */
export const two_sounds: Kind = film(
  ...(['', 'two-sounds.mp4', '1080p · H.264'] as const),
  ...[picture(full_hd), sound, sound, h264, aac],
  words(
    '-map 0:v -map 1:a -map 2:a -metadata:s:a:0 language=deu -metadata:s:a:1 language=eng -metadata:s:a:1 handler_name=Commentary',
  ),
)

/** The other file of the last kind. */
export const mp3: Kind = {
  ...film('', 'sound.mp3', 'MP3', sound, words('-c:a libmp3lame')),
  name: 'Sound: AAC, or MP3',
}
