/** `npm run fuzz -- 1200` checks all claims about any input for 1,200 seconds in total. */
import { spawnSync } from 'node:child_process'
import process from 'node:process'

const [seconds = '60'] = process.argv.slice(2)
if (!(Number(seconds) > 0)) throw new Error('Say for how many seconds: npm run fuzz -- 1200')
const { status } = spawnSync('vitest', ['run', 'test/fuzz'], {
  env: { ...process.env, FUZZ_SECONDS: seconds },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
