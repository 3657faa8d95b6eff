// Plays a video while it is downloaded: takes the segments that have arrived from their HLS playlist, and goes on with the finished file.
// The browser keeps a minute behind and a minute ahead of the position.

const ahead_s = 60
const behind_s = 60
const soon_ms = 700
const later_ms = 2500
// A download that waits is asked for again: the worker that had it may have died.
const again_ms = 10_000
// After this many failures the browser cannot decode the file. The player stops trying.
const most_faults = 3

const isArriving = media => media?.dataset.arriving !== undefined
// Also after the finished file took over, until the page knows what the file has.
const isFed = media => isArriving(media) || media?.dataset.fed !== undefined
const wordsOfArriving = words => {
  const place = article.querySelector('.arriving-words')
  if (place && place.textContent !== words) place.textContent = words
}

// The playlist as parts with their times. `map`: the beginning that every part of the same run needs.
function partsIn(text, base) {
  const parts = []
  let [map, length, at, duration] = ['', undefined, 0, 0]
  for (const line of text.split('\n')) {
    if (line.startsWith('#EXT-X-MAP:')) map = new URL(/URI="([^"]*)"/.exec(line)[1], base).href
    else if (line.startsWith('#EXT-X-BACKLOT-DURATION:')) length = Number(line.split(':')[1])
    else if (line.startsWith('#EXTINF:')) duration = Number.parseFloat(line.slice(8))
    else if (line && !line.startsWith('#')) {
      parts.push({ url: new URL(line, base).href, map, start: at, end: at + duration })
      at += duration
    }
  }
  return { parts, length }
}

const Source = window.ManagedMediaSource ?? window.MediaSource

async function arrive(media) {
  const address = new URL(media.dataset.arriving, location.href)
  const shown = Source ? await feeder(media) : nativePlayer(media, address)
  let asked_at = Date.now()
  while (isArriving(media) && media.isConnected) {
    const answer = await fetch(address).catch(() => undefined)
    const text = await answer?.text().catch(() => '')
    // The finished file may have taken over meanwhile.
    if (!isArriving(media)) return
    if (answer?.ok) {
      asked_at = Date.now()
      const found = partsIn(text, answer.url)
      noteArrived(media, found)
      await shown.feed(found).catch(() => isArriving(media) && shown.restart())
    } else if (answer?.status === 404) {
      if (await isComplete(media)) return finish(media)
      if (!isArriving(media)) return
      const is_over = !answer.headers.has('Retry-After')
      const says = media.dataset.refused === undefined && !media.dataset.arrived
      if (says || is_over) wordsOfArriving(text)
      // It failed or was cancelled. What has arrived stays.
      if (is_over) return
      if (Date.now() - asked_at > again_ms) {
        asked_at = Date.now()
        fetch(media.dataset.ask, { method: 'POST', headers: { 'hx-request': 'true' } }).catch(() => {})
      }
    }
    await new Promise(resolve => setTimeout(resolve, isShort(media) ? soon_ms : later_ms))
  }
}

const isComplete = async media => (await fetch(media.dataset.whole, { method: 'HEAD' }).catch(() => undefined))?.ok

// The end of what is loaded around the position; the position itself where nothing is.
function loadedTo(media) {
  for (let n = 0; n < media.buffered.length; n++)
    if (media.buffered.start(n) <= media.currentTime + 0.5 && media.buffered.end(n) > media.currentTime)
      return media.buffered.end(n)
  return media.currentTime
}
const isShort = media => loadedTo(media) - media.currentTime < 10

function noteArrived(media, { parts, length }) {
  const arrived = parts.at(-1)?.end ?? 0
  if (!arrived) return
  media.dataset.arrived = arrived
  media.dataset.length = length ?? arrived
  if (media.dataset.refused === undefined) wordsOfArriving('')
  media.dispatchEvent(new Event('arrived', { bubbles: true }))
}

// Setting `src` pauses a player without a `pause` event. In Chromium a fault pauses it with one, which is not the person's wish.
let wants_to_play = true
let known_fault = null
on('play', () => {
  wants_to_play = true
})
on('pause', media => {
  const is_of_fault = media.error !== known_fault && media.error !== null
  known_fault = media.error
  if (!media.ended && !is_of_fault) wants_to_play = false
})

// Feeds the player through MediaSource.
async function feeder(media) {
  let source
  let buffer
  let map
  let loaded = new Set()
  let faults = 0

  const isFeeding = () => isArriving(media) && media.dataset.refused === undefined
  const refuse = () => {
    if (!isArriving(media)) return
    media.dataset.refused = ''
    wordsOfArriving('Your browser can play this format only when it is complete.')
  }

  const open = async () => {
    source = new Source()
    media.disableRemotePlayback = true
    const opened = new Promise(resolve => source.addEventListener('sourceopen', resolve, { once: true }))
    const address = URL.createObjectURL(source)
    const position = media.currentTime
    media.src = address
    media.currentTime = position || Number(media.dataset.start) || 0
    await opened
    URL.revokeObjectURL(address)
    ;[buffer, map, loaded] = [undefined, undefined, new Set()]
  }

  const settled = () =>
    new Promise((resolve, reject) => {
      buffer.onupdateend = resolve
      buffer.onerror = () => reject(new Error('this part cannot be read'))
    })
  const append = async bytes => {
    const done = settled()
    buffer.appendBuffer(bytes)
    await done
  }
  const get = async url => {
    const answer = await fetch(url)
    if (!answer.ok) throw new Error('this part is gone')
    return answer
  }

  // The playlist may say the length only after the first parts. A source cannot become shorter than what is loaded.
  const setLateLength = length => {
    if (length === undefined || source.duration !== Number.POSITIVE_INFINITY || source.readyState !== 'open') return
    const { buffered } = media
    source.duration = Math.max(length, buffered.length && buffered.end(buffered.length - 1))
  }

  const begin = async (next_map, length) => {
    const answer = await get(next_map)
    const type = answer.headers.get('content-type')
    if (!Source.isTypeSupported(type)) return refuse()
    if (buffer) buffer.changeType?.(type)
    else {
      buffer = source.addSourceBuffer(type)
      source.duration = length ?? Number.POSITIVE_INFINITY
    }
    await append(await answer.arrayBuffer())
    map = next_map
  }

  const forget = async (from, to) => {
    if (to <= from || !buffer || buffer.updating) return
    const done = settled()
    buffer.remove(from, to)
    await done
  }

  const add = async (part, parts) => {
    const bytes = await (await get(part.url)).arrayBuffer()
    try {
      await append(bytes)
    } catch (fault) {
      if (fault.name !== 'QuotaExceededError') throw fault
      await forget(0, media.currentTime - 5)
      await append(bytes)
    }
    loaded.add(part.start)
    const last = media.currentTime - behind_s
    await forget(0, last)
    for (const { start } of parts) if (start < last) loaded.delete(start)
  }

  const feed = async ({ parts, length }) => {
    if (!isFeeding()) return
    if (media.error) throw media.error
    if (!source || source.readyState === 'closed') await open()
    setLateLength(length)
    for (;;) {
      const now = media.currentTime
      const part = parts.find(({ start, end }) => end > now && start < now + ahead_s && !loaded.has(start))
      if (!part) break
      const is_first = map === undefined
      if (part.map !== map) await begin(part.map, length)
      if (!isFeeding()) return
      await add(part, parts)
      if (!isFeeding()) return
      if (is_first && wants_to_play) play(media)
    }
    skipGap(media)
  }

  return {
    feed,
    // What was loaded is of no use any more: another run of the download has other parts, or the browser could not read them.
    async restart() {
      // What cannot be read ends the source. The player says so a moment later.
      const is_unreadable = media.error !== null || source.readyState === 'ended'
      if (!is_unreadable) map = undefined
      else if (++faults > most_faults) refuse()
      else await open()
    },
  }
}

// Sound and picture rarely begin together, and a player stops before a gap.
function skipGap(media) {
  const { buffered, currentTime } = media
  for (let n = 0; n < buffered.length; n++) {
    const start = buffered.start(n)
    if (start > currentTime && start < currentTime + 0.5) media.currentTime = start
  }
}

// Without MediaSource: a phone that plays such a playlist itself, from three parts on.
function nativePlayer(media, address) {
  return {
    async feed({ parts }) {
      if (parts.length < 3 || media.currentSrc || !media.canPlayType('application/vnd.apple.mpegurl')) return
      media.src = address.href
      media.currentTime = Number(media.dataset.start) || 0
      play(media)
    },
    async restart() {},
  }
}

// The finished file takes over at the same position. The last picture stays until its first one is there.
function finish(media) {
  if (!isArriving(media)) return
  const { currentTime } = media
  const was_shown = Boolean(media.currentSrc)
  const still = was_shown && media.videoWidth > 0 ? stillOf(media) : undefined
  const { whole, start } = media.dataset
  for (const name of ['arriving', 'arrived', 'whole', 'ask', 'start', 'refused']) delete media.dataset[name]
  media.dataset.fed = ''
  wordsOfArriving('')
  if (still) media.after(still)
  media.src = whole
  media.currentTime = was_shown ? currentTime : Number(start) || 0
  const show = () => still?.remove()
  if (media.requestVideoFrameCallback) media.requestVideoFrameCallback(show)
  for (const name of ['playing', 'error']) media.addEventListener(name, show, { once: true })
  if (wants_to_play) play(media)
  media.dispatchEvent(new Event('arrived', { bubbles: true }))
}

function stillOf(media) {
  const still = document.createElement('canvas')
  still.className = 'still'
  Object.assign(still, { width: media.videoWidth, height: media.videoHeight })
  still.getContext('2d').drawImage(media, 0, 0)
  return still
}

// The page of the finished file has its subtitles and the choices of its controls.
function takeOver(media, stage) {
  finish(media)
  media.append(...stage.querySelectorAll('.player > track'))
  const bar = stage.querySelector('.bar')
  if (bar) put(article.querySelector('.bar'), bar)
  delete media.dataset.fed
  media.dispatchEvent(new Event('loadedmetadata'))
}

if (isArriving(player())) arrive(player())
