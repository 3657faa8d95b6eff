/** Paths as the disk has them. A name need not be UTF-8, so a path is kept as bytes: one character (Latin-1) for each byte. Pure. */

export type RawPath = string

/** The form that functions of the file system take. */
export const bytesOf = (path: RawPath): Buffer => Buffer.from(path, 'latin1')

export const rawPathOf = (path: Uint8Array | string): RawPath => Buffer.from(path as string).toString('latin1')

/** As text; bytes that are not UTF-8 become U+FFFD. */
export const textOf = (path: RawPath): string => bytesOf(path).toString('utf8')

/** A path as text; `undefined`: the path is not UTF-8, so no program can get it as an argument. */
export function exactText(path: RawPath): string | undefined {
  const text = textOf(path)
  return rawPathOf(text) === path ? text : undefined
}

/** On one line, for people: control characters and bytes that are not UTF-8 as `\xNN`. */
export const shownPath = (path: RawPath): string =>
  shownText(exactText(path) ?? path.replace(/[\u0080-\u00ff]/g, byte => `\\x${byte.charCodeAt(0).toString(16)}`))

/** On one line, so that no text of a file can command the terminal or look like another line. */
export const shownText = (text: string): string => text.replace(controls, bytesInText)

/** Control characters, line separators, and those that change the direction of text. */
const controls = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

const bytesInText = (text: string) =>
  [...Buffer.from(text)].map(byte => `\\x${byte.toString(16).padStart(2, '0')}`).join('')

export const joined = (folder: RawPath, name: RawPath): RawPath => (folder.endsWith('/') ? folder : `${folder}/`) + name

export const nameOf = (path: RawPath): RawPath => path.slice(path.lastIndexOf('/') + 1)

export const folderOf = (path: RawPath): RawPath => path.slice(0, Math.max(1, path.lastIndexOf('/')))

/** Without the last extension. */
export const stemOf = (name: string): string => name.replace(/\.[^./]*$/, '')
