/** What is known of one video site. Everything is read from addresses and pages alone; nothing is fetched. */
import type { Choice, FeedKind } from '../../schema/sources/discovery.ts'

export type Platform = {
  /** Matches a host without `www.`, `m.`, `music.` or `gaming.`. */
  hosts: RegExp
  /** The feeds that an address leads to, the best first; empty where the address alone does not tell. */
  feedsIn?(address: URL): Choice[]
  /** The pages on which yt-dlp finds all videos of the channel of a feed or page; empty where the address does not tell. */
  listingsIn?(address: URL): string[]
  /** The identifier of the video whose page an address is; undefined for other pages. It is stored, so it must never change. */
  videoIdIn?(address: URL): string | undefined
  /**
   * The usual address of the video at an address, which must be one that yt-dlp reads in the same way: one file is given to all who
   * requested the video at any of its addresses. Undefined where anything else in the address may matter.
   */
  pageOfVideo?(url: string): string | undefined
  /** What people call a platform that has no feeds. */
  feedless?: string
}

/** What a web page says of itself in its tags. */
export type PageClues = {
  /** The feeds that it names. */
  named: Choice[]
  /** What it links as if it were a feed, and where a refresh leads. */
  guessed: Choice[]
  /** Its canonical addresses. */
  addresses: string[]
  /** Identifiers in its microdata. */
  ids: string[]
  says_peertube: boolean
}

export const hostOf = ({ hostname }: URL): string => hostname.replace(/^(www|m|music|gaming)\./, '')

/** The first rule whose pattern fits the path gives the page of the list, or what else is made from what the pattern's group found. */
export function listingsByPath<Made = string>(rules: [RegExp, (found: string) => Made][]) {
  return ({ pathname }: URL): Made[] => {
    for (const [pattern, make] of rules) {
      const found = pattern.exec(pathname)?.[1]
      if (found !== undefined) return [make(found)]
    }
    return []
  }
}

/** The first rule whose pattern fits the path gives the feed. */
export const feedsByPath = (rules: [RegExp, FeedKind, (found: string) => string][]) =>
  listingsByPath<Choice>(rules.map(([pattern, kind, feedOf]) => [pattern, found => ({ rss_url: feedOf(found), kind })]))

/** The first pattern that fits the whole address gives the identifier of its video, and so the usual address. */
export function pageByAddress(patterns: RegExp[], pageOf: (id: string) => string) {
  return (url: string): string | undefined => {
    const id = patterns.map(pattern => pattern.exec(url)?.[1]).find(found => found !== undefined)
    return id === undefined ? undefined : pageOf(id)
  }
}

/** `prefix.identifier`, where the path has one. */
export const videoIdByPath =
  (prefix: string, pattern: RegExp) =>
  ({ pathname }: URL): string | undefined => {
    const id = pattern.exec(pathname)?.[1]
    return id && `${prefix}.${id}`
  }

/** Each address once, at most twelve. */
export const distinctChoices = (choices: Choice[]): Choice[] =>
  choices.filter(({ rss_url }, at) => choices.findIndex(other => other.rss_url === rss_url) === at).slice(0, 12)
