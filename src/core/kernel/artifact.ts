import type { ArtifactReference } from './call.ts'

/** What is kept: text, stored as UTF-8, or bytes as they are. */
export type ArtifactContent = { mediaType: string } & ({ text: string } | { bytes: Uint8Array })

/** A piece of an artifact, with where it belongs. */
export interface ArtifactPage extends ArtifactReference {
  offset: number
  chunk: Uint8Array
}
