/** Niconico: the lists of people and mylists, whose addresses with `?rss=2.0` are feeds. */
import { listingsByPath, type Platform } from './platform.ts'

export const niconico: Platform = {
  hosts: /^(?:sp\.)?nicovideo\.jp$/,
  listingsIn: listingsByPath([
    [/^\/(?:user\/\d+\/)?(mylist\/\d{1,15})(?:\/|$)/, list => `https://www.nicovideo.jp/${list}`],
    [/^\/user\/(\d{1,15})(?:\/|$)/, person => `https://www.nicovideo.jp/user/${person}/video`],
  ]),
}
