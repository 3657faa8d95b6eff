/** As a process: cuts the sound of one film until it is killed: `lone-cutter.ts '{"tools": …, "url": …, "folder": …, "user_id": …}'`. */
import { argv } from 'node:process'
import { libraryOf } from '../../../src/db/library.ts'
import { connect } from '../../../src/db/postgres/client.ts'
import { cutSoundOf } from '../../../src/domain/downloads/cut-sound.ts'
import { no_limits } from '../../../src/domain/downloads/room.ts'
import { openStorage } from '../../../src/store/storage.ts'

const { tools, url, folder, user_id } = JSON.parse(argv[2] ?? '{}')
await cutSoundOf(
  {
    library: libraryOf(connect(url, { max: 1 }), user_id),
    files: openStorage({ DATA_DIR: folder, DOWNLOADS_DIR: folder }),
    findTools: async () => tools,
    room: no_limits,
    signal: new AbortController().signal,
  },
  'v',
)
