/** In memory: builds archives, with all variations of real ones and faults of broken ones. */
import { crc32, deflateRawSync } from 'node:zlib'

export type Packed = {
  name: string
  content: string | Uint8Array
  stored?: boolean
  encrypted?: boolean
  /** The size that the archive claims instead of the true one. */
  claims?: number
}

/** A ZIP file with an entry for each; `content` is compressed unless `stored`. */
export function zipOf(files: Packed[]): Uint8Array<ArrayBuffer> {
  let at = 0
  const parts = files.map(file => {
    const entry = entryOf(file, at)
    at += entry.local.length
    return entry
  })
  const central = Buffer.concat(parts.map(({ central }) => central))
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(at, 16)
  return new Uint8Array(Buffer.concat([...parts.map(({ local }) => local), central, end]))
}

function entryOf({ name, content, stored = false, encrypted = false, claims }: Packed, at: number) {
  const [plain, label] = [Buffer.from(content), Buffer.from(name)]
  const data = stored ? plain : deflateRawSync(plain)
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(0x800 | (encrypted ? 1 : 0), 2)
  common.writeUInt16LE(stored ? 0 : 8, 4)
  common.writeUInt32LE(crc32(plain), 10)
  common.writeUInt32LE(data.length, 14)
  common.writeUInt32LE(claims ?? plain.length, 18)
  common.writeUInt16LE(label.length, 22)
  const made_by = Buffer.from([20, 3])
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(at, 10)
  return {
    local: Buffer.concat([Buffer.from('PK\u0003\u0004'), common, label, data]),
    central: Buffer.concat([Buffer.from('PK\u0001\u0002'), made_by, common, rest, label]),
  }
}

/** `type`: `0`, a file, unless given. `claims`: the size that the archive claims instead of the true one. */
export type Tarred = { name: string; content: string; type?: string; claims?: number }

/** A tar file. */
export function tarOf(files: Tarred[]): Uint8Array {
  const parts = files.flatMap(({ name, content, type = '0', claims }) => {
    const [header, data] = [Buffer.alloc(512), Buffer.from(content)]
    header.write(name.slice(0, 100), 0)
    header.write(`${(claims ?? data.length).toString(8).padStart(11, '0')}\0`, 124)
    header.write(type, 156)
    header.write('ustar\u000000', 257)
    // The sum of all bytes of the header, in which the sum itself counts as spaces.
    header.write(' '.repeat(8), 148)
    const sum = header.reduce((all, byte) => all + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, data, Buffer.alloc((512 - (data.length % 512)) % 512)]
  })
  return new Uint8Array(Buffer.concat([...parts, Buffer.alloc(1024)]))
}
