/** The full output of a call whose answer was truncated: read it in pages. */
export interface ArtifactReference {
  id: string
  bytes: number
  mediaType: string
}
