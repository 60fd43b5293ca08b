import { createHash } from 'node:crypto'
import type { CallArtifacts } from '../core/kernel/context/call-artifacts.ts'

/** Keeps the files of a call in memory, for tests of tools. */
export function keepArtifacts(): CallArtifacts & {
  readonly saved: { name: string; mediaType: string; bytes: Uint8Array }[]
} {
  const saved: { name: string; mediaType: string; bytes: Uint8Array }[] = []
  return {
    saved,
    async save(file) {
      saved.push(file)
      const id = createHash('sha256').update(file.bytes).digest('hex').slice(0, 16)
      return { id: `art_${id}`, bytes: file.bytes.length, mediaType: file.mediaType }
    },
  }
}
