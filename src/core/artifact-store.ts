import type { ArtifactContent, ArtifactPage } from './kernel/artifact.ts'
import type { ArtifactReference } from './kernel/artifact-reference.ts'

/** Outputs too large for an answer, and files. Text is stored as UTF-8 bytes. */
export interface ArtifactStore {
  put(tenant: string, callId: string, content: ArtifactContent): Promise<ArtifactReference>
  /**
   * Bytes from `offset`, at most `limit`, of this artifact or else of the call's newest. Undefined
   * when the call has no such artifact.
   */
  read(
    tenant: string,
    callId: string,
    range: { offset: number; limit: number; id?: string },
  ): Promise<ArtifactPage | undefined>
  /** Removes the artifact of an attempt that lost. */
  remove(tenant: string, callId: string, id: string): Promise<void>
}
