/** Which user a start becomes, and what it gives to that user. `test/e2e/root.test.ts` starts the service so. */
import { chown, lchown, link, lstat, mkdir, symlink, writeFile } from 'node:fs/promises'
import { platform, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { foldersOf, giveFolder, planOf } from '../../src/runtime/user.ts'
import { newFolder } from '../support/run/new-folder.ts'

describe('the user of a start', () => {
  it('root becomes PUID:PGID', () => {
    expect(planOf({ PUID: '1026', PGID: '100' }, 0)).toEqual({ become: { uid: 1026, gid: 100 } })
  })

  it.each([[0], [1000], [undefined]])('without PUID and PGID nothing changes for the user %s', uid => {
    expect(planOf({}, uid)).toEqual({})
    expect(planOf({ PUID: '', PGID: '' }, uid)).toEqual({})
  })

  it('another user stays, and a PUID that was chosen for another one is said to have no effect', () => {
    expect(planOf({ PUID: '1026', PGID: '100' }, 1026)).toEqual({})
    expect(planOf({ PUID: '1026', PGID: '100' }, 1000)).toEqual({
      warning: 'PUID=1026 has no effect, because the service was started as the user 1000 and not as root.',
    })
  })

  it('the PUID that the image sets is not taken for a choice', () => {
    expect(planOf({ PUID: '1000', PGID: '1000' }, 1026)).toEqual({})
  })

  it.each([
    ['root', 'PUID', { PUID: '0', PGID: '1000' }],
    ['a name', 'PUID', { PUID: 'backlot', PGID: '1000' }],
    ['a negative number', 'PGID', { PUID: '1000', PGID: '-1' }],
    ['the number that means none', 'PGID', { PUID: '1000', PGID: '4294967295' }],
    ['a fraction', 'PGID', { PUID: '1000', PGID: '10.5' }],
    ['one without the other', 'PUID and PGID', { PUID: '1000' }],
  ])('refuses %s with a sentence that names %s', (_, name, env) => {
    for (const uid of [0, 1000])
      expect(() => planOf(env, uid)).toThrow(new RegExp(`^Wrong configuration: ${name} should .*\\.$`))
  })
})

it('the folders of the service are those that are set, and the usual ones', () => {
  expect(foldersOf({})).toEqual([resolve('.data'), resolve('downloads')])
  expect(foldersOf({ DATA_DIR: '/data', DOWNLOADS_DIR: '/downloads', MEDIA_DIR: '/media' })).toEqual([
    '/data',
    '/downloads',
    '/media',
  ])
  expect(foldersOf({ DATA_DIR: '/data', DOWNLOADS_DIR: 's3://films/backlot' })).toEqual(['/data'])
})

describe.skipIf(platform() !== 'linux' || userInfo().uid !== 0)('a folder that is given', () => {
  let top: string
  beforeEach(() => {
    top = newFolder()
  })

  const user = { uid: 4242, gid: 4343 }
  const ownerOf = async (path: string) => {
    const { uid, gid } = await lstat(path)
    return [uid, gid]
  }
  const filled = async () => {
    const folder = join(top, 'downloads')
    await mkdir(join(folder, 'alice'), { recursive: true })
    await writeFile(join(folder, 'alice', 'bread.mp4'), '')
    return folder
  }

  it('belongs to the user with all that is in it', async () => {
    const folder = await filled()
    giveFolder(folder, user)
    for (const path of [folder, join(folder, 'alice'), join(folder, 'alice', 'bread.mp4')])
      expect(await ownerOf(path)).toEqual([4242, 4343])
  })

  it('is made if it is missing', async () => {
    giveFolder(join(top, 'new', 'data'), user)
    expect(await ownerOf(join(top, 'new', 'data'))).toEqual([4242, 4343])
  })

  it('is not read if it is theirs already', async () => {
    const folder = await filled()
    await chown(folder, 4242, 4343)
    giveFolder(folder, user)
    expect(await ownerOf(join(folder, 'alice'))).toEqual([0, 0])
  })

  it('gives away no file that a link in it leads to', async () => {
    const folder = await filled()
    await writeFile(join(top, 'elsewhere'), '')
    await symlink(join(top, 'elsewhere'), join(folder, 'link'))
    giveFolder(folder, user)
    expect(await ownerOf(join(top, 'elsewhere'))).toEqual([0, 0])
    expect(await ownerOf(join(folder, 'link'))).toEqual([4242, 4343])
  })
  it.each(['media', 'media/films'])(
    'is not given if it is reached by a link that another user made: %s',
    async path => {
      const data = join(top, 'data')
      const elsewhere = await filled()
      await mkdir(data)
      await symlink(elsewhere, join(data, 'media'))
      await lchown(join(data, 'media'), 1026, 100)
      expect(() => giveFolder(join(data, path), user)).toThrow(/media is a link of the user 1026/)
      for (const left of [elsewhere, join(elsewhere, 'alice')]) expect(await ownerOf(left)).toEqual([0, 0])
      expect(await lstat(join(elsewhere, 'films')).catch(() => 'not made')).toBe('not made')
    },
  )

  it('is given if it is reached by a link of root', async () => {
    const folder = await filled()
    await symlink(folder, join(top, 'link'))
    giveFolder(join(top, 'link'), user)
    expect(await ownerOf(join(folder, 'alice'))).toEqual([4242, 4343])
  })

  it('gives away no file of another user that has a name elsewhere, too', async () => {
    const folder = await filled()
    await chown(folder, 1026, 100)
    await writeFile(join(top, 'shadow'), '')
    await link(join(top, 'shadow'), join(folder, 'alice', 'shadow.mp4'))
    await writeFile(join(folder, 'shared.mp4'), '')
    await chown(join(folder, 'shared.mp4'), 1026, 100)
    await link(join(folder, 'shared.mp4'), join(folder, 'alice', 'shared.mp4'))
    giveFolder(folder, user)
    expect(await ownerOf(join(top, 'shadow'))).toEqual([0, 0])
    expect(await ownerOf(join(folder, 'shared.mp4'))).toEqual([4242, 4343])
  })
})
