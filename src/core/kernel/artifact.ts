import type { ArtifactReference } from './artifact-reference.ts'

/** The content of an artifact: text, stored as UTF-8, or raw bytes. */
export type ArtifactContent = { mediaType: string } & ({ text: string } | { bytes: Uint8Array })

/** One page of an artifact, with its position. */
export interface ArtifactPage extends ArtifactReference {
  offset: number
  chunk: Uint8Array
}
