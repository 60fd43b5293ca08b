import { createHash } from 'node:crypto'
import type { PackedEntry } from '../../../core/host/workspace-disk.ts'

/** The size and the checksum of a workspace while its entries pass. */
export interface TreeDigest {
  add(entry: PackedEntry, content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array>
  end(): { files: number; bytes: number; sha256: string }
}

/** One checksum for all entries: a list with one for each file would not fit into memory. */
export function createTreeDigest(): TreeDigest {
  const hash = createHash('sha256')
  let files = 0
  let total = 0
  return {
    async *add({ path, kind, mode, modifiedMs, bytes, target = '' }, content) {
      files += 1
      total += bytes
      hash.update(`${JSON.stringify([path, kind, mode, modifiedMs, bytes, target])}\n`)
      for await (const piece of content) {
        hash.update(piece)
        yield piece
      }
    },
    end: () => ({ files, bytes: total, sha256: hash.digest('hex') }),
  }
}
