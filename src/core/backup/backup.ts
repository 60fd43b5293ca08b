/** What was copied of a database, and what it cost those who used it meanwhile. */
export interface Snapshot {
  files: number
  bytes: number
  /** The longest that other statements had to wait. */
  stalledMs: number
}

/** A backup on its way out: a tar archive, made while it is read. */
export interface BackupStream {
  /** A name for the file, without its ending. */
  name: string
  pieces: AsyncIterable<Uint8Array>
  /** Removes what was copied for it. Also when nobody has read it to the end. */
  close(): Promise<void>
}

/** Copies on their way into a backup, which a killed server leaves behind. */
export const backupDraftPrefix = 'backup.draft-'

/** Every backup ends with this entry: what is in it, and how it should read. */
export interface BackupManifest {
  format: 1
  toolcrib: string
  createdAt: string
  /** By their path in the archive. */
  files: Readonly<Record<string, { bytes: number; sha256: string }>>
}

export const manifestName = 'toolcrib-backup.json'
