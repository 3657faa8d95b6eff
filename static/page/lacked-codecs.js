// Tells the style sheet which codecs this browser lacks: it then shows the lines about files that have them.

/** The names are those of `codecsLacked`. @type {Record<string, string>} */
const types = {
  'h264-10': 'video/mp4; codecs="avc1.6E0028"',
  hevc: 'video/mp4; codecs="hvc1.1.6.L120.B0"',
  'hevc-10': 'video/mp4; codecs="hvc1.2.4.L120.B0"',
  vp9: 'video/mp4; codecs="vp09.00.40.08"',
  'vp9-10': 'video/mp4; codecs="vp09.02.40.10"',
  av1: 'video/mp4; codecs="av01.0.08M.08"',
  'av1-10': 'video/mp4; codecs="av01.0.08M.10"',
  opus: 'audio/mp4; codecs="opus"',
  flac: 'audio/mp4; codecs="flac"',
  alac: 'audio/mp4; codecs="alac"',
}

const player = document.createElement('video')
document.documentElement.dataset.lacks = Object.keys(types)
  .filter(name => player.canPlayType(types[name] ?? '') === '')
  .join(' ')
