/**
 * How media servers read the names of folders and files, in regular expressions of their own source, for tests of MEDIA_DIR.
 *
 * Kodi: xbmc/settings/AdvancedSettings.cpp and EpisodeUtils (all expressions ignore case). Jellyfin: Emby.Naming/Common/NamingOptions.cs,
 * TV/EpisodePathParser.cs and TV/SeasonPathParser.cs. Plex documents the same form, `s2026e1121`, in "Naming and organizing your TV show
 * files".
 */

export type Parsed = { season: number; episode: number }

const kodi = {
  episode: /s([0-9]+)[ ._x-]*e([0-9]+(?:(?:[a-i]|\.[1-9])(?![0-9]))?)([^\\/]*)$/iu,
  further_part: /^([-_ex]+)([0-9]+)(.*)/iu,
  excluded: [/[!-._ \\/]sample[-._ \\/]/iu, /[\\/].+\.ite[\\/]/iu, /[\\/]\._/iu, /@eaDir/iu],
}

/** Every episode that Kodi finds in a file; none: it does not scan the file. */
export function kodiEpisodes(path: string): Parsed[] {
  const label = decodedAsUrl(path)
  if (kodi.excluded.some(expression => expression.test(label))) return []
  const found: Parsed[] = []
  let rest = label
  for (let match = kodi.episode.exec(rest); match; match = kodi.episode.exec(rest)) {
    found.push({ season: Number(match[1]), episode: Number.parseInt(match[2] ?? '', 10) })
    rest = match[3] ?? ''
    const part = kodi.further_part.exec(rest)
    if (part) found.push({ season: Number(match[1]), episode: Number(part[2]) })
  }
  return found
}

/** Bytes that are not UTF-8 would break its expressions. */
const decodedAsUrl = (path: string) => {
  const bytes = Buffer.from(path)
  const decoded: number[] = []
  for (let at = 0; at < bytes.length; at++) {
    const hex = bytes[at] === 0x25 ? /^[0-9a-f]{2}/i.exec(bytes.subarray(at + 1, at + 3).toString('latin1')) : null
    decoded.push(hex ? Number.parseInt(hex[0], 16) : (bytes[at] ?? 0))
    if (hex) at += 2
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(decoded))
}

const jellyfin = {
  episode:
    /.*(\\|\/)(?<seriesname>((?![Ss]([0-9]+)[\][ ._-]*[Ee]([0-9]+))[^\\/])*)?[Ss](?<seasonnumber>[0-9]+)[\][ ._-]*[Ee](?<epnumber>[0-9]+)([^\\/]*)$/,
  // Every expression that can set the last number of several episodes.
  ending: [
    /.*[\\/](?![Ee]pisode)(?<seriesname>[\w\s]+?)\s(?<epnumber>[0-9]{1,4})(-(?<endingepnumber>[0-9]{2,4}))*[^\\/x]*$/u,
    /[Ee]pisode (?<epnumber>[0-9]+)(-(?<endingepnumber>[0-9]+))?[^\\/]*$/u,
    /.*(\\|\/)(?<epnumber>[0-9]{1,3})(-(?<endingepnumber>[0-9]{2,3}))*\s?-\s?[^\\/]*$/u,
    /.*[\\/][^\\/]* - (?<epnumber>[0-9]{1,3})(-(?<endingepnumber>[0-9]{2,3}))*[^\\/]*$/u,
    /.*(\\|\/)[sS]?(?<seasonnumber>[0-9]{1,4})[xX](?<epnumber>[0-9]{1,3})((-| - )[0-9]{1,4}[eExX](?<endingepnumber>[0-9]{1,3}))+[^\\/]*$/u,
    /.*(\\|\/)(?<seriesname>((?![sS]?[0-9]{1,4}[xX][0-9]{1,3})[^\\/])*)?([sS]?(?<seasonnumber>[0-9]{1,4})[xX](?<epnumber>[0-9]{1,3}))(-[xX]?[eE]?(?<endingepnumber>[0-9]{1,3}))+[^\\/]*$/u,
    /.*(\\|\/)(?<seriesname>[^\\/]*)[sS](?<seasonnumber>[0-9]{1,4})[xX.]?[eE](?<epnumber>[0-9]{1,3})((-| - )?[xXeE](?<endingepnumber>[0-9]{1,3}))+[^\\/]*$/u,
    /.*(\\|\/)(?<seriesname>[^\\/]*)[sS](?<seasonnumber>[0-9]{1,4})[xX.]?[eE](?<epnumber>[0-9]{1,3})(-[xX]?[eE]?(?<endingepnumber>[0-9]{1,3}))+[^\\/]*$/u,
  ],
}

/** `ending`: Jellyfin takes the file for several episodes. `undefined`: it is no episode. */
export function jellyfinEpisode(path: string): (Parsed & { ending: boolean }) | undefined {
  const { seasonnumber, epnumber } = jellyfin.episode.exec(path)?.groups ?? {}
  const season = Number(seasonnumber)
  if (epnumber === undefined || (season >= 200 && season < 1928) || season > 2500) return undefined
  const ending = jellyfin.ending.some(expression => expression.exec(path)?.groups?.endingepnumber !== undefined)
  return { season, episode: Number(epnumber), ending }
}

/** "A season folder must contain one of these somewhere in the name", and then the number. */
export const jellyfinSeason = (folder: string): number | undefined => {
  const number = /^[^0-9]*([0-9]+)[^0-9]*$/.exec(folder.replace(/season/i, ' '))?.[1]
  return /season/i.test(folder) && number ? Number(number) : undefined
}

/** Names that Windows, macOS and Linux all take, and that no server hides. */
export function faultsOfName(name: string): string[] {
  const faults: Record<string, boolean> = {
    empty: name === '',
    'longer than 255 bytes': Buffer.byteLength(name) > 255,
    'not NFC': name !== name.normalize('NFC'),
    'not well-formed': !name.isWellFormed(),
    'a forbidden character': /["*:<>?|/\\\p{Cc}\p{Zl}\p{Zp}]/u.test(name),
    'a change of direction': /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u.test(name),
    'a dot or space at an end': /^[. ]|[. ]$/.test(name),
    'a name of Windows': /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)/i.test(name),
  }
  return Object.keys(faults).filter(fault => faults[fault])
}
