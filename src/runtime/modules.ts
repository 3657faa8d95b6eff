/**
 * Lets Node import files with JSX, and keeps the compiled code of every module for the next start, which then needs less than half
 * of the processor time. Import this first; what it makes possible needs a later, dynamic import. Deno does all of this itself.
 */
import module, { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import type { TransformOptions } from 'esbuild'
import manifest from '../../package.json' with { type: 'json' }
import { privateFolder } from './folders.ts'
import { type Compiler, jsxReader } from './jsx.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** In an image the code cannot be written to, so the second folder is used. Both may be deleted at any time. */
const folders = [join(root, 'node_modules/.backlot'), join(process.env.DATA_DIR || '.data', 'cache')]

const options: TransformOptions = {
  loader: 'tsx',
  jsx: 'automatic',
  jsxImportSource: 'hono/jsx',
  format: 'esm',
  target: 'es2024',
  // For `node --enable-source-maps`, which shows the lines of our files in errors.
  sourcemap: process.sourceMapsEnabled ? 'inline' : false,
}

type Esbuild = Pick<typeof import('esbuild'), 'transformSync' | 'stop'>
let esbuild: Esbuild | undefined

const compiler: Compiler = {
  compile(text) {
    // esbuild starts a process, so only a start that has something to compile loads it.
    esbuild ??= createRequire(import.meta.url)('esbuild') as Esbuild
    return esbuild.transformSync(text, options).code
  },
  version: JSON.stringify([manifest.dependencies.esbuild, options]),
}

/** Call this once when the modules are loaded: Node would only keep them when it exits, and a process may be killed. */
export function keepCompiled(): void {
  module.flushCompileCache?.()
  esbuild?.stop()
  esbuild = undefined
}

if (!('Deno' in globalThis)) {
  const folder = privateFolder(folders)
  if (folder !== undefined) {
    const kept = join(folder, 'node')
    module.enableCompileCache(kept)
    // Threads read it from here.
    process.env.NODE_COMPILE_CACHE = kept
  }
  const read = jsxReader(root, folder && privateFolder([join(folder, 'jsx')]), compiler)
  module.registerHooks({
    load: (url, context, next) =>
      url.startsWith('file:') && url.endsWith('.tsx')
        ? { format: 'module', source: read(fileURLToPath(url)), shortCircuit: true }
        : next(url, context),
  })
}
