import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { addFile } from '../../src/config/env-file.ts'
import { newFolder } from '../support/run/new-folder.ts'

it('a variable that is set, even to nothing, keeps its value, and the file gives the others', async () => {
  const ENV_FILE = join(newFolder(), 'settings')
  await writeFile(ENV_FILE, '# the service\nPORT=9000\nDATA_DIR="/srv/a folder"\nDATABASE_URL=postgres://db/backlot\n')
  const env = { ENV_FILE, PORT: '8001', DATABASE_URL: '' }
  expect(addFile(env).toSorted()).toEqual(['DATABASE_URL', 'DATA_DIR', 'PORT'])
  expect(env).toEqual({ ENV_FILE, PORT: '8001', DATABASE_URL: '', DATA_DIR: '/srv/a folder' })
})

it('a file that is named must be there, and none is read where its name is empty', () => {
  const ENV_FILE = join(newFolder(), 'absent')
  expect(() => addFile({ ENV_FILE })).toThrow(`This user cannot read the settings in ${ENV_FILE}.`)
  expect(addFile({ ENV_FILE: '' })).toEqual([])
})

it('a line that is no setting stops the start with its number, and remarks and empty lines do not', async () => {
  const ENV_FILE = join(newFolder(), 'settings')
  await writeFile(ENV_FILE, '# the service\n\n  # at home\nPORT=9000\nHOST 0.0.0.0\n')
  expect(() => addFile({ ENV_FILE })).toThrow(`Line 5 of ${ENV_FILE} should be a name, “=” and a value.`)
})
