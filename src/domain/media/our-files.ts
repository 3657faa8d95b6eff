/** Tells by their names which files in a tree of MEDIA_DIR are ours. We never touch any other file. Pure. */

/** The files of a channel. */
export const show_files = { nfo: 'tvshow.nfo', poster: 'poster.jpg', fanart: 'fanart.jpg' } as const

/** The files of an episode. Kodi and Jellyfin read `-thumb.jpg`; Plex reads a picture with the name of the video. */
export const episodeFiles = (name: string, { extension, languages }: { extension: string; languages: string[] }) => ({
  video: `${name}.${extension}`,
  nfo: `${name}.nfo`,
  thumb: `${name}-thumb.jpg`,
  picture: `${name}.jpg`,
  /** Jellyfin, Plex and Kodi read WebVTT, with the language before the extension. */
  subtitles: languages.map(language => ({ language, file: `${name}.${language}.vtt` })),
})

const ending = /^(\.(mp4|m4a|nfo|jpg)|-thumb\.jpg|\.[A-Za-z0-9_-]{1,40}\.vtt)$/

/** Finds the files of an episode among the names of its folder. */
export function filesByEpisode(names: Iterable<string>): (name: string) => string[] {
  // The number is unique in a folder.
  const by_number = Map.groupBy(names, name => numberIn(name))
  return name =>
    (by_number.get(numberIn(name)) ?? []).filter(file => file.startsWith(name) && ending.test(file.slice(name.length)))
}

const numberIn = (name: string) => name.split(' ', 1)[0] ?? ''

/** A file of any episode, where the numbers are no longer known. */
export function isEpisodeFile(file: string): boolean {
  const [, name = ''] = /^(S\d{4}E\d{4,10} .*\[[^[\]]*\])/.exec(file) ?? []
  return name !== '' && ending.test(file.slice(name.length))
}

export const isSeasonFolder = (name: string): boolean => /^Season \d{4}$/.test(name)
