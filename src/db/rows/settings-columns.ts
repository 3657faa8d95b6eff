/** The settings of a person in `users`: one table of columns, from which reading, saving, the export and the import derive. */
import { ArchiveSettings } from '../../schema/imports/archive.ts'
import { quietHours } from '../../schema/notifications/quiet-hours.ts'
import type { Settings, SettingsRequest } from '../../schema/settings/settings.ts'
import { type Piece, type Queryable, sharedPiece } from '../postgres/client.ts'
import { commaList } from '../postgres/column-lists.ts'

/** Each column with its type, as `pg_type` names it. */
const types = {
  quality: 'text',
  keyboard_shortcuts: 'bool',
  skip_categories: '_text',
  captions_of_all: 'bool',
  subtitle_languages: '_text',
  quiet_from: 'time',
  quiet_to: 'time',
  time_zone: 'text',
  messages_a_day: 'int2',
  media_names: 'text',
} satisfies Record<keyof Settings, string>
type Name = keyof typeof types
const names = Object.keys(types) as Name[]

const listed = (sql: Queryable, piece: (name: Name, type: Piece) => Piece): Piece =>
  commaList(
    sql,
    names.map(name => piece(name, sql`${sql(types[name])}`)),
  )

/** Times of day as "HH:MI". */
const read = (sql: Queryable, name: Name): Piece =>
  types[name] === 'time' ? sql`to_char(${sql(name)}, 'HH24:MI') as ${sql(name)}` : sql`${sql(name)}`

export const settingColumns = sharedPiece(sql => listed(sql, name => read(sql, name)))

/** The columns of `QuietHours`. */
export const quietHourColumns = sharedPiece(sql =>
  commaList(
    sql,
    names.filter(name => name in quietHours).map(name => read(sql, name)),
  ),
)

/** The assignments of an update that saves what is given. Absent fields stay. */
export const savedSettings = (sql: Queryable, given: Partial<SettingsRequest>): Piece =>
  listed(sql, (name, type) => {
    const value = given[name]
    return sql`${sql(name)} = ${value === undefined ? sql(name) : sql`${value}::${type}`}`
  })

/** What a person has who chose nothing. A setting that the archive lacks is a type error here. */
const usual: Settings = ArchiveSettings.parse({})
/** The end and the zone of quiet hours are taken over only if the person has no quiet hours. */
const belongs_to: Partial<Record<Name, Name>> = { quiet_to: 'quiet_from', time_zone: 'quiet_from' }

/** The assignments of an update that takes the given settings where the person has chosen nothing. */
export const mergedSettings = (sql: Queryable, given: Settings): Piece =>
  listed(sql, (name, type) => {
    const isUsual = (one: Name) => sql`${sql(one)} is not distinct from ${usual[one]}::${sql(types[one])}`
    const whole = belongs_to[name]
    const isFree = whole ? sql`${isUsual(name)} and ${isUsual(whole)}` : isUsual(name)
    return sql`${sql(name)} = case when ${isFree} then ${given[name]}::${type} else ${sql(name)} end`
  })
