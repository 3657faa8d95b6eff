/** Reads and parses the source files, for the nets. */
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { parseAst } from 'vitest/node'

export type Source = { path: string; text: string }
/** `is_thread`: `from` starts `to` as a thread instead of importing it. `is_lazy`: it is imported when it is first needed. */
export type Import = { from: string; to: string; type_only: boolean; is_thread: boolean; is_lazy: boolean }
/** A node of the syntax tree, as ESTree describes it. */
export type Node = { type: string; start: number; end: number; [field: string]: unknown }

/** Whether a file has queries across people; only jobs and administrators get them (see the architecture net). */
export const asksEveryone = (path: string): boolean => /^src\/db\/(?:\w+\/everyone|admin)\//.test(path)

/** The TypeScript files in these folders. */
export async function sourcesIn(...folders: string[]): Promise<Source[]> {
  const lists = await Promise.all(
    folders.map(async folder => (await readdir(folder, { recursive: true })).map(name => join(folder, name))),
  )
  const paths = lists.flat().filter(path => /\.tsx?$/.test(path))
  return Promise.all(paths.toSorted().map(async path => ({ path, text: await readFile(path, 'utf8') })))
}

export function* nodesOf({ path, text }: Source): Generator<Node> {
  yield* walk(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }))
}

function* walk(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && typeof value.type === 'string') yield value as Node
  for (const part of Object.values(value)) yield* walk(part)
}

/** Every import of a source: of values and of types, at the top or inside a function, and files of threads. */
export function importsOf(source: Source): Import[] {
  const found: Import[] = []
  for (const node of nodesOf(source)) {
    const name = nameIn(node)
    if (name === undefined) continue
    const to = name.startsWith('.') ? normalize(join(dirname(source.path), name)) : name
    const type_only = node.importKind === 'type' || node.type === 'TSImportType'
    const is_lazy = node.type === 'ImportExpression'
    found.push({ from: source.path, to, type_only, is_thread: node.type === 'NewExpression', is_lazy })
  }
  return found
}

function nameIn(node: Node): string | undefined {
  if (/^(Import|ExportNamed|ExportAll)(Declaration|Expression)$/.test(node.type) || node.type === 'TSImportType')
    return textOf(node.source)
  // `new URL('./thread.ts', import.meta.url)` names the file of a thread.
  const isUrl = node.type === 'NewExpression' && (node.callee as Node & { name?: string }).name === 'URL'
  const name = isUrl ? textOf((node.arguments as Node[])[0]) : undefined
  return name && /^\..*\.tsx?$/.test(name) ? name : undefined
}

const textOf = (node: unknown): string | undefined =>
  typeof node === 'object' && node !== null && 'value' in node && typeof node.value === 'string'
    ? node.value
    : undefined

/** A function with `all` its lines, and with its `own`: without those of the functions and of the multi-line texts (SQL) inside it. */
export type Measured = { path: string; name: string; own: number; all: number }

export function functionsIn(source: Source): Measured[] {
  const linesOf = ({ start, end }: Node) => source.text.slice(start, end).split('\n').length
  const measured: Measured[] = []
  /** Returns how many lines inside `value` belong to something else than the function around it. */
  const visit = (value: unknown, name: string): number => {
    if (typeof value !== 'object' || value === null) return 0
    const node = value as Partial<Node> & { id?: { name?: string }; key?: { name?: string } }
    const own_name = node.id?.name ?? node.key?.name ?? name
    const inside = Object.values(value).reduce<number>((sum, part) => sum + visit(part, own_name), 0)
    if (node.type === 'TemplateLiteral') return linesOf(value as Node) - 1
    if (!/Function/.test(node.type ?? '') || !node.body) return inside
    const lines = linesOf(value as Node)
    measured.push({ path: source.path, name: own_name, own: lines - inside, all: lines })
    return lines - 1
  }
  visit(parseAst(source.text, { lang: source.path.endsWith('x') ? 'tsx' : 'ts' }), '')
  return measured
}

/** The groups of files that import each other, directly or through others. */
export function circlesIn(imports: Import[]): string[][] {
  const edges = Map.groupBy(imports, ({ from }) => from)
  const reachedFrom = (start: string): Set<string> => {
    const reached = new Set<string>()
    for (const waiting = [start]; waiting.length > 0; )
      for (const { to } of edges.get(waiting.pop() ?? '') ?? []) {
        if (reached.has(to)) continue
        reached.add(to)
        waiting.push(to)
      }
    return reached
  }
  const reach = new Map([...edges.keys()].map(file => [file, reachedFrom(file)]))
  const circles = [...reach].flatMap(([file, reached]) => {
    const circle = [...reached].filter(other => reach.get(other)?.has(file))
    return circle.length > 0 ? [circle.toSorted().join('\n')] : []
  })
  return [...new Set(circles)].map(circle => circle.split('\n'))
}
