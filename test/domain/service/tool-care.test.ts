/** A worker that keeps yt-dlp up to date: what it counts, when it looks, and when it goes back. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { allTasks } from '../../../jobs/worker/runners.ts'
import { readConfig } from '../../../src/config/config.ts'
import { everyoneIn } from '../../../src/db/everyone.ts'
import { listenForToolChecks, wantToolCheck } from '../../../src/db/service/everyone/operations.ts'
import { checkTools, startToolCare, type ToolCare } from '../../../src/domain/service/tool-care.ts'
import { no_renewal, type Renewal } from '../../../src/schema/service/renewal.ts'
import { failureOf } from '../../../src/ytdlp/failures/read-error.ts'
import { folderOf, readRenewal, writeRenewal } from '../../../src/ytdlp/tools/versions.ts'
import { useApp } from '../../support/app/app.ts'
import { idleParts } from '../../support/app/parts.ts'
import { follows, type Person, person } from '../../support/app/people.ts'
import {
  openReleaseHost,
  passingYtdlp,
  type ReleaseHost,
  type SigningKey,
  signingKey,
} from '../../support/process/release-host.ts'
import { toolsForTests } from '../../support/process/tools.ts'
import { newFolder } from '../../support/run/new-folder.ts'

const app = useApp()
const { sql } = app
beforeEach(() => sql`delete from tool_outcomes`)

const hours_ago = (hours: number) => new Date(Date.now() - hours * 3_600_000)

describe('counted failures', () => {
  it.each([
    ['that a newer yt-dlp may mend', 'ERROR: [x] a: Unable to extract title', [{ failed: true }]],
    ['that none would mend', 'ERROR: [x] a: Private video', []],
  ])('is a failure %s, with its person, host and version', async (_, words, counted) => {
    const alice = await person(sql, 'alice')
    await follows(alice, 'kitchen', ['v1'])
    await alice.library.downloads.request(['v1'])
    const parts = {
      ...idleParts(sql),
      files: app.files,
      downloadVideo: async () => ({ failure: failureOf({ said: words }) }),
    }

    await Reflect.apply(allTasks(parts).download ?? (() => {}), undefined, [
      { user_id: alice.user.user_id, video_id: 'v1' },
      { abortSignal: new AbortController().signal },
    ])

    const outcomes = await sql`select user_id, host, ytdlp_version, failed from tool_outcomes`
    const about = { user_id: alice.user.user_id, host: 'videos.example', ytdlp_version: '2026.08.19' }
    expect(outcomes).toEqual(counted.map(outcome => ({ ...about, ...outcome })))
  })
})

describe('a check', () => {
  let host: ReleaseHost
  let key: SigningKey
  let care: ToolCare
  let said: string[]
  let tools_dir: string

  beforeAll(async () => {
    key = await signingKey()
  })
  beforeEach(async () => {
    host = await openReleaseHost()
    const data_dir = newFolder()
    tools_dir = join(data_dir, 'tools')
    said = []
    const note = (said_now: unknown) => void said.push(String(said_now))
    const log = { info: note, warn: note, debug: note, error: note } as unknown as ToolCare['log']
    care = {
      config: readConfig({ DATA_DIR: data_dir, FFMPEG_PATH: toolsForTests().ffmpeg, PATH: join(data_dir, 'bin') }),
      sql,
      log,
      onCheck: async () => {},
      more: {
        releases: { ytdlp: host.url, ffmpeg: 'http://127.0.0.1:9' },
        trusted_key: key.public_key,
      },
    }
    onTestFinished(async () => {
      host.close()
    })
  })

  async function versions(state: Partial<Renewal>) {
    for (const version of [state.current, state.previous]) {
      if (!version) continue
      await mkdir(folderOf(tools_dir, version), { recursive: true })
      await writeFile(join(folderOf(tools_dir, version), 'yt-dlp.pyz'), passingYtdlp(version))
    }
    await writeRenewal(tools_dir, { ...no_renewal, outcome: 'up_to_date', ...state })
  }

  const ended = ({ user }: Person, failed: boolean, ytdlp_version: string, at: Date, times = 3) => sql`
    insert into tool_outcomes (user_id, host, ytdlp_version, failed, ended_at)
    select ${user.user_id}, 'videos.example', ${ytdlp_version}, ${failed}, ${at}
    from   generate_series(1, ${times})`
  const publish = (version: string) => host.publish(version, passingYtdlp(version), key)

  it('no check follows within a day', async () => {
    await versions({ current: '2026.10.01', checked_at: hours_ago(2).toISOString() })
    await checkTools(care, new Date())
    expect(host.requests).toEqual([])
  })

  it('a check that an administrator wants is made at once, in every worker that keeps its own yt-dlp', async () => {
    await versions({ current: '2026.10.01', checked_at: hours_ago(2).toISOString() })
    await publish('2026.11.01')
    const everyone = everyoneIn(sql)
    const switched = new Promise<void>(resolve => {
      const onCheck = async () => {
        if ((await readRenewal(tools_dir)).current === '2026.11.01') resolve()
      }
      const tool_care = startToolCare({ ...care, onCheck })
      const listening = listenForToolChecks(everyone, tool_care.checkNow)
      onTestFinished(async () => {
        tool_care.stop()
        await (await listening)()
      })
      void listening.then(() => wantToolCheck(everyone))
    })

    await switched
    expect(await readRenewal(tools_dir)).toMatchObject({ current: '2026.11.01', previous: '2026.10.01' })
  })

  it('a newer version is used early when downloads fail', async () => {
    const alice = await person(sql, 'alice')
    await versions({ current: '2026.10.01', checked_at: hours_ago(4).toISOString() })
    await publish('2026.11.01')
    await ended(alice, true, '2026.10.01', hours_ago(0.1), 1)

    await checkTools(care, new Date())

    expect(await readRenewal(tools_dir)).toMatchObject({ current: '2026.11.01', previous: '2026.10.01' })
    expect(said).toContainEqual(expect.stringContaining('Downloads fail'))
  })

  it('however often downloads fail, no check follows within three hours of the one before', async () => {
    const bob = await person(sql, 'bob')
    await versions({ current: '2026.10.01', checked_at: hours_ago(2).toISOString() })
    await ended(bob, true, '2026.10.01', hours_ago(0.1), 500)

    await checkTools(care, new Date())

    expect(host.requests).toEqual([])
  })

  it('a failure from before the last check hastens none', async () => {
    const bob = await person(sql, 'bob')
    await versions({ current: '2026.10.01', checked_at: hours_ago(4).toISOString() })
    await ended(bob, true, '2026.10.01', hours_ago(5))

    await checkTools(care, new Date())

    expect(host.requests).toEqual([])
  })

  const switched = { current: '2026.11.01', previous: '2026.10.01', outcome: 'switched' } as const

  it('the previous version returns when nothing works since the switch', async () => {
    const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
    await versions({ ...switched, switched_at: hours_ago(2).toISOString(), checked_at: hours_ago(2).toISOString() })
    for (const who of [alice, bob]) {
      await ended(who, false, '2026.10.01', hours_ago(20))
      await ended(who, true, '2026.11.01', hours_ago(0.5))
    }

    await checkTools(care, new Date())

    const why = '6 downloads failed since the switch, from sites that worked before'
    expect(await readRenewal(tools_dir)).toMatchObject({
      current: '2026.10.01',
      refused: ['2026.11.01'],
      rolled_back: { from: '2026.11.01', to: '2026.10.01', why },
    })
    expect(said).toContainEqual(`Went back from yt-dlp 2026.11.01 to 2026.10.01: ${why}`)
  })

  it('one person’s failures never cause a rollback', async () => {
    const [alice, bob] = [await person(sql, 'alice'), await person(sql, 'bob')]
    await versions({ ...switched, switched_at: hours_ago(2).toISOString(), checked_at: hours_ago(0.2).toISOString() })
    for (const who of [alice, bob]) await ended(who, false, '2026.10.01', hours_ago(20))
    await ended(bob, true, '2026.11.01', hours_ago(0.5), 500)

    await checkTools(care, new Date())

    expect(await readRenewal(tools_dir)).toMatchObject({ current: '2026.11.01', rolled_back: null })
  })

  it.each([
    ['yt-dlp is named by the operator', { YTDLP_PATH: '/usr/bin/yt-dlp' }],
    ['nothing may be fetched', { INSTALL_TOOLS: 'off' }],
  ])('yt-dlp is not renewed where %s', async (_, variables) => {
    const config = { ...care.config, ...readConfig({ ...variables, DATA_DIR: care.config.DATA_DIR }) }
    let looked = false
    const { stop } = startToolCare({
      ...care,
      config,
      onCheck: async () => {
        looked = true
      },
    })
    stop()
    await sql`select 1`
    expect([looked, host.requests]).toEqual([false, []])
  })
})
