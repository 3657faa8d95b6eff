// Feeds a player through MediaSource with the parts of a video that have arrived. The browser keeps a minute behind and a minute ahead of
// the position.

/** @typedef {{ url: string, map: string, start: number, end: number }} Part `map`: the beginning that all parts of a run need. */
/** @typedef {{ parts: Part[], length: number | undefined, begins_with_keys: boolean }} Playlist `begins_with_keys`: each part. */

const ahead_s = 60
const behind_s = 60
// Of the film. A slow line brings half a second at a time: a player that begins or goes on with so little stops again at once.
const begin_s = 0.9
const refill_s = 3
// Key frames are rarely further apart.
const key_s = 10
// After this many failures the browser cannot decode the file.
const max_faults = 3

const Source = window.ManagedMediaSource ?? window.MediaSource
export const can_feed = Boolean(Source)

export class Feeder {
  /** @type {MediaSource | undefined} */
  #source
  /** @type {SourceBuffer | undefined} */
  #buffer
  /** The beginning that was loaded last. @type {string | undefined} */
  #map
  /** The addresses of the parts that are loaded. @type {Set<string>} */
  #loaded = new Set()
  /** The address of the part that was loaded last. @type {string | undefined} */
  #latest
  /** Whether the player is still to begin. */
  #is_new = true
  #faults = 0

  /**
   * `isWanted`: false once the player has something else to play. `refuse`: the browser cannot play these parts. `begin`: there is enough
   * to play.
   * @param {Player} media @param {{ isWanted(): boolean, refuse(): void, begin(): void }} owner
   */
  constructor(media, owner) {
    this.media = media
    this.owner = owner
  }

  /** @param {Playlist} playlist */
  async feed({ parts, length, begins_with_keys }) {
    const { media, owner } = this
    if (!owner.isWanted()) return
    if (media.error) throw media.error
    const source = !this.#source || this.#source.readyState === 'closed' ? await this.#open() : this.#source
    setLateLength(source, media, length)
    if (!this.#is_new && isStopped(media) && !isEnough(parts, media, length)) return
    for (;;) {
      const now = media.currentTime
      const isMissing = (/** @type {Part} */ part) => !this.#loaded.has(part.url) && !isCovered(media, part)
      const at = parts.findIndex(part => part.end > now && part.start < now + ahead_s && isMissing(part))
      if (at === -1) break
      // The browser drops the pictures before a key frame, except those that continue the part before.
      const is_next = begins_with_keys || parts[at - 1]?.url === this.#latest
      const from = is_next ? at : parts.findIndex(({ end }) => end > parts[at].start - key_s)
      for (const part of parts.slice(from, at + 1)) {
        if (part.map !== this.#map || !this.#buffer) await this.#beginRun(source, part.map, length)
        if (!owner.isWanted() || !this.#buffer) return
        await this.#add(this.#buffer, part, parts)
        if (!owner.isWanted()) return
      }
      if (this.#is_new && loadedTo(media) - media.currentTime >= begin_s) {
        this.#is_new = false
        owner.begin()
      }
    }
    skipGap(media)
  }

  /** Loads everything again: another run of the download has other parts, or the browser could not read these. */
  async restart() {
    // A part that cannot be read ends the source. The player says so a moment later.
    const is_unreadable = this.media.error !== null || this.#source?.readyState === 'ended'
    if (!is_unreadable) this.#map = undefined
    else if (++this.#faults > max_faults) this.owner.refuse()
    else await this.#open()
  }

  async #open() {
    const { media } = this
    const source = new Source()
    this.#source = source
    media.disableRemotePlayback = true
    const opened = new Promise(resolve => source.addEventListener('sourceopen', resolve, { once: true }))
    const address = URL.createObjectURL(source)
    const position = media.currentTime
    media.src = address
    media.currentTime = position || Number(media.dataset.start) || 0
    await opened
    URL.revokeObjectURL(address)
    this.#buffer = undefined
    this.#map = undefined
    this.#loaded = new Set()
    this.#latest = undefined
    this.#is_new = true
    return source
  }

  /** @param {MediaSource} source @param {string} map @param {number | undefined} length */
  async #beginRun(source, map, length) {
    const answer = await get(map)
    const type = answer.headers.get('content-type') ?? ''
    if (!Source.isTypeSupported(type)) return this.owner.refuse()
    if (this.#buffer) this.#buffer.changeType?.(type)
    else {
      this.#buffer = source.addSourceBuffer(type)
      source.duration = length ?? Number.POSITIVE_INFINITY
    }
    await append(this.#buffer, await answer.arrayBuffer())
    this.#map = map
  }

  /** @param {SourceBuffer} buffer @param {Part} part @param {Part[]} parts */
  async #add(buffer, part, parts) {
    const { media } = this
    const bytes = await (await get(part.url)).arrayBuffer()
    try {
      await append(buffer, bytes)
    } catch (fault) {
      if (!(fault instanceof DOMException) || fault.name !== 'QuotaExceededError') throw fault
      await forget(buffer, 0, media.currentTime - 5)
      await append(buffer, bytes)
    }
    this.#loaded.add(part.url)
    this.#latest = part.url
    const last = media.currentTime - behind_s
    await forget(buffer, 0, last)
    for (const { url, start } of parts) if (start < last) this.#loaded.delete(url)
  }
}

/** Nothing is left to play. @param {Player} media */
export const isStopped = ({ readyState, seeking }) => !seeking && readyState === HTMLMediaElement.HAVE_CURRENT_DATA

/** @param {Part[]} parts @param {Player} media @param {number | undefined} length */
const isEnough = (parts, { currentTime }, length = Number.POSITIVE_INFINITY) =>
  (parts.at(-1)?.end ?? 0) >= Math.min(currentTime + refill_s, length - 1)

/** The end of the loaded range around the position; the position itself without one. @param {Player} media */
export function loadedTo({ buffered, currentTime }) {
  for (let n = 0; n < buffered.length; n++)
    if (buffered.start(n) <= currentTime + 0.5 && buffered.end(n) > currentTime) return buffered.end(n)
  return currentTime
}

/** Shorter parts may have brought the same pictures. @param {Player} media @param {Part} part */
function isCovered({ buffered }, { start, end }) {
  for (let n = 0; n < buffered.length; n++)
    if (buffered.start(n) <= start + 0.05 && buffered.end(n) >= end - 0.05) return true
  return false
}

/** @param {string} url */
async function get(url) {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error('this part is gone')
  return answer
}

/** @param {SourceBuffer} buffer @param {ArrayBuffer} bytes */
async function append(buffer, bytes) {
  const done = settled(buffer)
  buffer.appendBuffer(bytes)
  await done
}

/** @param {SourceBuffer} buffer @param {number} from @param {number} to */
async function forget(buffer, from, to) {
  if (to <= from || buffer.updating) return
  const done = settled(buffer)
  buffer.remove(from, to)
  await done
}

/** @param {SourceBuffer} buffer */
const settled = buffer =>
  new Promise((resolve, reject) => {
    buffer.onupdateend = resolve
    buffer.onerror = () => reject(new Error('this part cannot be read'))
  })

/**
 * The playlist may say the length only after the first parts. A source cannot become shorter than what is loaded.
 * @param {MediaSource} source @param {Player} media @param {number | undefined} length
 */
function setLateLength(source, { buffered }, length) {
  if (length === undefined || source.duration !== Number.POSITIVE_INFINITY || source.readyState !== 'open') return
  source.duration = Math.max(length, buffered.length && buffered.end(buffered.length - 1))
}

/** Sound and picture rarely begin together, and a player stops before a gap. @param {Player} media */
function skipGap(media) {
  const { buffered, currentTime } = media
  for (let n = 0; n < buffered.length; n++) {
    const start = buffered.start(n)
    if (start > currentTime && start < currentTime + 0.5) media.currentTime = start
  }
}
