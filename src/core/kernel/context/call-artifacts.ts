import type { ArtifactReference } from '../artifact-reference.ts'

/** Files that a call leaves behind, beside its output. */
export interface CallArtifacts {
  /** Returns the reference to put into the output. Deleted together with the call. */
  save(file: { name: string; mediaType: string; bytes: Uint8Array }): Promise<ArtifactReference>
}
