/** The statistics of a database copy, including its cost for other users. */
export interface Snapshot {
  files: number
  bytes: number
  /** The longest delay of other statements. */
  stalledMs: number
}

/** A backup being produced: a tar archive, generated while it is read. */
export interface BackupStream {
  /** The name of the file, without extension. */
  name: string
  pieces: AsyncIterable<Uint8Array>
  /** Removes temporary copies, even if the stream was not read to the end. */
  close(): Promise<void>
}

/** Temporary copies for a backup, which a killed server leaves behind. */
export const backupDraftPrefix = 'backup.draft-'

/** The last entry of every backup: its contents and their checksums. */
export interface BackupManifest {
  format: 1
  toolcrib: string
  createdAt: string
  /** By their path in the archive. */
  files: Readonly<Record<string, { bytes: number; sha256: string }>>
}

export const manifestName = 'toolcrib-backup.json'
