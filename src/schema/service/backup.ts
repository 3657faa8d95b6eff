/** What a backup says of itself: the manifest, and the lines of its list of files. A backup comes from a disk, so both are checked. */
import { z } from 'zod'

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const Count = z.int().min(0)
/** A name of the database that we chose. It becomes a part of a path. */
const Name = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/)

/** One compressed file of the backup: its lines and bytes before compression, and the hash of the compressed bytes. */
const Part = z.object({ lines: Count, bytes: Count, sha256: Sha256 })
export type BackupPart = z.infer<typeof Part>

const Table = Part.extend({ name: Name, columns: z.array(Name).min(1) })

/** Where the numbers of an identity column go on. */
const Counter = z.object({ table: Name, column: Name, value: z.string().regex(/^\d{1,19}$/), is_called: z.boolean() })
export type Counter = z.infer<typeof Counter>

/** `filename` and `hash` as graphile-migrate stores them. */
const MigrationName = z.object({ filename: z.string().regex(/^\d{6}\.sql$/), hash: z.string() })
export type MigrationName = z.infer<typeof MigrationName>

/** The names of the files of a backup, as far as they are no tables. */
export const manifest_name = 'backup.json'

export const Manifest = z.object({
  format: z.literal(1),
  made_at: z.iso.datetime(),
  /** Versions of Backlot and of Postgres. */
  backlot: z.string(),
  postgres: z.string(),
  migration: MigrationName,
  /** In the order in which they are filled: a table before those that refer to it. */
  tables: z.array(Table),
  counters: z.array(Counter),
  jobs: Part,
  files: Part,
})
export type Manifest = z.infer<typeof Manifest>

/** `missing`: the disk does not have it. `sha256`: of a file in a folder. `etag`: of an object in a bucket, which knows no hash. */
const ListedFile = z.object({
  path: z.string(),
  size: Count.optional(),
  sha256: Sha256.optional(),
  etag: z.string().optional(),
  /** The file is the same as before if all of these are. */
  modified_ms: z.number().optional(),
  inode: z.number().optional(),
  missing: z.literal(true).optional(),
})
export type ListedFile = z.infer<typeof ListedFile>

/** In the order of the list. */
const kinds = ['video', 'deleted', 'picture'] as const

/** What a row of the database keeps in files: a video with its subtitles, a deleted one, or a picture in its sizes. */
const Kept = z.object({ kind: z.enum(kinds), name: z.string() })

export const ListLine = Kept.extend({ files: z.array(ListedFile) })
export type ListLine = z.infer<typeof ListLine>

/** What a row keeps in files. `languages`: of its subtitles. `has_sound`: its sound was cut out. */
export type KeptFiles = z.infer<typeof Kept> & { languages?: string[]; has_sound?: boolean }

/** Whether one line of the list comes before another. Names have only ASCII characters, and are in the order of their bytes. */
export const isBefore = (a: Pick<ListLine, 'kind' | 'name'>, b: Pick<ListLine, 'kind' | 'name'>): boolean =>
  a.kind === b.kind ? a.name < b.name : kinds.indexOf(a.kind) < kinds.indexOf(b.kind)
