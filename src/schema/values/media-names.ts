/** The template by which a person names files and folders in MEDIA_DIR: how it is written, and what is wrong in it. */
import { z } from 'zod'

/** What the template says for a person who chose none. */
export const usual_names = '{channel}/Season {season}/S{season}E{episode} – {title} [{id}]'

/** What a template may name, in words for people. */
export const name_fields = {
  channel: 'the channel',
  group: 'its first group, by name',
  title: 'the title',
  date: 'the day, as 2026-11-21',
  season: 'the year',
  episode: 'month, day and a count, as 112101',
  id: 'the id at its site',
} as const
export type NameField = keyof typeof name_fields

/** `number`: season and episode, written as media servers read them. `start` and `between`: the letters of the template, as `S` and `E`. */
export type NamePiece = string | { field: NameField } | { field: 'number'; start: string; between: string }

/** `is_numbered`: the name of a file has a number, so the video is an episode of a show. Otherwise media servers see a film. */
export type Template = { folders: NamePiece[][]; file: NamePiece[]; is_numbered: boolean }

/** The most folders below that of a person. */
export const max_folders = 4
const max = { letters: 200, own_bytes: 40 }

export const MediaNames = z
  .string()
  .trim()
  .superRefine((text, { addIssue }) => {
    const fault = faultOf(text)
    if (fault) addIssue({ code: 'custom', message: fault })
  })
  .nullable()
  .meta({
    description: `The template of files and folders in \`MEDIA_DIR\`; null: \`${usual_names}\`. It may also have \`{group}\` and \`{date}\`.`,
    examples: ['{group}/{channel}/{title} [{id}]'],
  })

/** An empty field chooses the usual template. */
export const MediaNamesForm = z.object({
  media_names: z
    .string()
    .transform(text => (['', usual_names].includes(text.trim()) ? null : text))
    .pipe(MediaNames),
})

export const inBraces = (field: string): string => `{${field}}`

/** Null: the usual one. */
export function templateOf(text: string | null): Template {
  const parts = (text ?? usual_names).split('/').map(piecesOf)
  const file = parts.at(-1) ?? []
  return { folders: parts.slice(0, -1), file, is_numbered: file.some(piece => hasField(piece, 'number')) }
}

const hasField = (piece: NamePiece, field: string) => typeof piece !== 'string' && piece.field === field
const mark = /s\{season\}[ ._-]*e\{episode\}/i
const tokens = /(s)\{season\}([ ._-]*e)\{episode\}|\{([a-z]+)\}|[^{]+?(?=s\{season\}|\{|$)/gi

function piecesOf(part: string): NamePiece[] {
  return [...part.matchAll(tokens)].map(([text, start, between, field]) => {
    if (start !== undefined && between !== undefined) return { field: 'number', start, between }
    return field === undefined ? text : { field: field as NameField }
  })
}

/** The first thing that is wrong, as a sentence; `undefined`: nothing. */
function faultOf(text: string): string | undefined {
  if (text.length > max.letters) return `Use at most ${max.letters} letters.`
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(text)) return 'Leave out characters that are not shown.'
  const [forbidden] = /["*:<>?|\\]/.exec(text) ?? []
  if (forbidden) return `Leave out “${forbidden}”, which Windows does not allow in names.`
  const parts = text.split('/')
  if (parts.length > max_folders + 1) return `Use at most ${max_folders} folders.`
  return parts.map(faultOfPart).find(fault => fault !== undefined) ?? faultOfFile(parts.at(-1) ?? '')
}

function faultOfPart(part: string): string | undefined {
  if (/^[. ]*$/.test(part)) return `“${part}” is no name: write something before and after each “/”.`
  const braces = part.replace(/\{[^{}]*\}/g, '')
  if (/[{}]/.test(braces)) return `A brace in “${part}” is not closed or not opened.`
  const named = [...part.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name)
  const unknown = named.find(name => !Object.hasOwn(name_fields, name))
  if (unknown !== undefined)
    return `“{${unknown}}” is not known. Use ${Object.keys(name_fields).map(inBraces).join(', ')}.`
  const twice = named.find((name, at) => named.indexOf(name) < at)
  if (twice) return `“{${twice}}” is twice in one name.`
  if (new TextEncoder().encode(braces).length > max.own_bytes) return `“${part}” has too much text of its own.`
  return undefined
}

function faultOfFile(part: string): string | undefined {
  const has = (...names: NameField[]) => names.every(name => part.includes(`{${name}}`))
  if (!has('title') && !has('id') && !has('season', 'episode'))
    return 'The name of the file, after the last “/”, needs {title}, {id}, or {season} with {episode}.'
  // Media servers would read what follows as a part of the number.
  if (new RegExp(`${mark.source}(?! |$)`, 'i').test(part)) return 'Write a space after {episode}.'
  return undefined
}
