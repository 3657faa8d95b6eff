/** The parts that an update of one person's tree in MEDIA_DIR needs. */
import type { Everyone } from '../../db/everyone.ts'
import type { Library } from '../../db/library.ts'
import type { Log } from '../../runtime/log.ts'
import type { BinLimits } from '../../schema/bin/bin.ts'
import type { Files } from '../../store/files.ts'
import type { MediaTree } from '../../store/media-tree.ts'

export type TreeParts = {
  everyone: Everyone
  library: Library
  files: Files
  tree: MediaTree
  /** Videos that a media server deletes are moved there. */
  bin: BinLimits
  /** `undefined`: the bytes are no picture. */
  toJpeg(picture: Uint8Array): Promise<Uint8Array | undefined>
  signal: AbortSignal
  log: Log
}
