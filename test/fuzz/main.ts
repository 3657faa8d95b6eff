/**
 * `npm run fuzz -- 1200` checks the claims about any input with new inputs: those of this folder for 1,200 seconds in total, all others
 * once.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import process, { argv, env } from 'node:process'

const [seconds = '60'] = argv.slice(2)
if (!(Number(seconds) > 0)) throw new Error('Say for how many seconds: npm run fuzz -- 1200')
const others = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map(name => `test/${name}`)
  .filter(path => /\.test\.tsx?$/.test(path) && readFileSync(path, 'utf8').includes('/run/holds.ts'))
const seed = env.SEED ?? String(Date.now() % 1_000_000_000)
console.log(
  `SEED=${seed}: ${seconds} seconds for the claims of test/fuzz, and some minutes for those of ${others.length} other files.`,
)
const { status } = spawnSync('vitest', ['run', 'test/fuzz', ...others], {
  env: { ...env, FUZZ_SECONDS: seconds, SEED: seed },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
