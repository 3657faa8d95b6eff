/** Reads files while they grow, on disk. */
import { appendFile, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { Restarted, readGrowing } from '../../../src/ytdlp/fetch/arriving-files.ts'
import { newFolder } from '../../support/run/new-folder.ts'

let folder: string
beforeEach(async () => {
  folder = newFolder()
})

const never = new AbortController().signal

/** The text that was read so far, and the rest of it. */
function reading(files: string[], signal = never) {
  const bytes = readGrowing(files, signal)
  onTestFinished(async () => void (await bytes.return(undefined)))
  const next = async () => Buffer.from((await bytes.next()).value ?? []).toString()
  const rest = async () => Buffer.concat(await Array.fromAsync(bytes)).toString()
  return { next, rest }
}

it('waits for more until the file has its final name, and then reads it to its end', async () => {
  const file = join(folder, 'video.mp4')
  await writeFile(`${file}.part`, 'one ')
  const { next, rest } = reading([file])
  expect(await next()).toBe('one ')
  await appendFile(`${file}.part`, 'two ')
  expect(await next()).toBe('two ')
  await appendFile(`${file}.part`, 'three')
  await rename(`${file}.part`, file)
  expect(await rest()).toBe('three')
})

it('waits until one of the files is there, and reads a complete one at once', async () => {
  const [first, second, aside] = [join(folder, 'first'), join(folder, 'second'), join(folder, 'aside')]
  await writeFile(aside, 'complete')
  const all = reading([first, second]).rest()
  await rename(aside, second)
  expect(await all).toBe('complete')
})

it('says that a file was begun again', async () => {
  const file = join(folder, 'video.mp4')
  await writeFile(`${file}.part`, 'a long beginning')
  const { next } = reading([file])
  await next()
  await writeFile(`${file}.part`, 'new')
  await expect(next()).rejects.toThrow(Restarted)
})

it('says that a file was begun again although all of what is left had been read', async () => {
  const file = join(folder, 'video.mp4')
  await writeFile(`${file}.part`, 'x'.repeat(300_000))
  const { next } = reading([file])
  await truncate(`${file}.part`, (await next()).length)
  await expect(next()).rejects.toThrow(Restarted)
})

it('takes a file that was emptied before it was opened for one that is begun again', async () => {
  const file = join(folder, 'video.mp4')
  await writeFile(file, '')
  await expect(reading([file]).next()).rejects.toThrow(Restarted)
})

it('ends when it is told to, although the file is not complete', async () => {
  const file = join(folder, 'video.mp4')
  await writeFile(`${file}.part`, 'one')
  const leaving = new AbortController()
  const { next, rest } = reading([file], leaving.signal)
  await next()
  const left = rest()
  leaving.abort()
  expect(await left).toBe('')
})

/** A packet of MPEG-TS. */
const packet = (text: string) => Buffer.concat([Buffer.from([0x47]), Buffer.from(text.padEnd(187))])
const packets = (...texts: string[]) => Buffer.concat(texts.map(packet))

describe('the fragment that yt-dlp is fetching', () => {
  let file: string
  beforeEach(async () => {
    file = join(folder, 'video.mp4')
    await writeFile(`${file}.part`, '')
  })
  const fragment = (n: number) => `${file}.part-Frag${n}`
  /** As yt-dlp does it when all of the fragment is there. */
  async function append(n: number) {
    await rename(`${fragment(n)}.part`, fragment(n))
    await appendFile(`${file}.part`, await readFile(fragment(n)))
    await rm(fragment(n))
  }

  it('is read before it is complete, and no byte of it twice', async () => {
    const { next, rest } = reading([file])
    await writeFile(`${fragment(1)}.part`, packets('a', 'b', 'c'))
    expect(await next()).toBe(packets('a', 'b', 'c').toString())
    await appendFile(`${fragment(1)}.part`, packets('d'))
    expect(await next()).toBe(packets('d').toString())
    await appendFile(`${fragment(1)}.part`, packets('e'))
    await append(1)
    expect(await next()).toBe(packets('e').toString())
    await writeFile(`${fragment(2)}.part`, packets('f', 'g', 'h'))
    expect(await next()).toBe(packets('f', 'g', 'h').toString())
    await append(2)
    await rename(`${file}.part`, file)
    expect(await rest()).toBe('')
  })

  it('is left to yt-dlp where it is encrypted', async () => {
    const { next } = reading([file])
    await writeFile(`${fragment(1)}.part`, 'nothing that a player knows'.repeat(20))
    const first = next()
    await appendFile(`${file}.part`, 'decrypted')
    expect(await first).toBe('decrypted')
  })

  it('of a file that ends before it was appended, the file was begun again', async () => {
    const { next } = reading([file])
    await writeFile(`${fragment(1)}.part`, packets('a', 'b', 'c'))
    await next()
    await rename(`${file}.part`, file)
    await expect(next()).rejects.toThrow(Restarted)
  })
})
