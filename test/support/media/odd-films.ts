/** Films of a second that some phone or television would not play: recipes for `films.ts`, each named for what is wrong with it. */

/** Splits a command line. No argument here contains a space. */
const words = (line: string) => line.split(' ')

const picture = (size: string, rate = 25) => words(`-f lavfi -i testsrc2=size=${size}:rate=${rate}:duration=1`)
const tone = words('-f lavfi -i sine=frequency=440:duration=1')
const h264 = words('-c:v libx264 -preset ultrafast -pix_fmt yuv420p')
const vp9 = words('-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 500k')
const aac = words('-c:a aac -b:a 64k')
const hevc = (transfer: string) => [
  ...words('-c:v libx265 -preset ultrafast -pix_fmt yuv420p10le -tag:v hvc1 -x265-params'),
  `log-level=none:colorprim=bt2020:transfer=${transfer}:colormatrix=bt2020nc`,
]

/** By the name of the file. The arguments of ffmpeg, without the name itself. */
export const odd_films: Record<string, string[]> = {
  'vp9-1440.webm': [...picture('2560x1440', 5), ...tone, ...vp9, ...words('-c:a libopus')],
  'h264-1440.mp4': [...picture('2560x1440', 5), ...tone, ...h264, ...aac],
  'wide-1080.mp4': [...picture('2560x1080', 5), ...h264],
  'upright-1440.webm': [...picture('1440x2560', 5), ...vp9],
  'av1.mp4': [...picture('320x180'), ...tone, ...words('-c:v libaom-av1 -cpu-used 8 -usage realtime'), ...aac],
  'hevc-pq.mp4': [...picture('320x180'), ...hevc('smpte2084')],
  'hevc-hlg.mp4': [...picture('320x180'), ...hevc('arib-std-b67')],
  'h264-10-bit.mkv': [...picture('320x180'), ...words('-c:v libx264 -preset ultrafast -pix_fmt yuv420p10le')],
  'h264-level-5.2.mp4': [...picture('320x180'), ...h264, ...words('-level:v 5.2')],
  'odd-sides.webm': [...picture('321x181'), ...tone, ...vp9, ...words('-c:a libvorbis')],
  'rate-120.mp4': [...picture('320x180', 120), ...h264],
  'interlaced.ts': [...picture('320x180'), ...tone, ...h264, ...words('-flags +ilme+ildct -x264opts tff=1'), ...aac],
  // Three pictures of four are left out in the first half.
  'rate-varies.webm': [
    ...picture('320x180'),
    ...['-vf', "select='gt(t,0.5)+not(mod(n,4))',settb=1/1000,setpts='PTS+mod(N*7,11)'"],
    ...[...words('-fps_mode vfr'), ...vp9],
  ],
  'anamorphic.mkv': [...picture('352x288'), ...words('-vf setsar=16/11 -c:v mpeg2video')],
  'silent.mkv': [...picture('320x180'), ...h264],
  'several-sounds.mkv': [
    ...[...picture('320x180'), ...tone, ...tone, ...tone],
    ...words('-map 0 -map 1 -map 2 -map 3 -ac:a:2 6 -c:a:0 libopus -c:a:1 aac -c:a:2 aac'),
    ...words('-metadata:s:a:0 language=fra -metadata:s:a:1 language=deu -metadata:s:a:2 language=eng'),
    ...[...words('-disposition:a:0 0 -disposition:a:2 default'), ...h264],
  ],
  'sound-96-khz.mkv': [...picture('320x180'), ...tone, ...h264, ...words('-c:a flac -ar 96000')],
  'fits.mp4': [...picture('320x180'), ...tone, ...h264, ...aac, ...words('-movflags +faststart')],
  'sound.m4a': [...tone, ...aac],
  'fits-index-last.mp4': [...picture('320x180'), ...tone, ...h264, ...aac],
  'fits-in-mkv.mkv': [...picture('320x180'), ...tone, ...h264, ...aac],
}
