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
  /** 2 with the files of workspaces, which earlier versions could not read. */
  format: 1 | 2
  toolcrib: string
  createdAt: string
  /** By their path in the archive. None if the database is not included. */
  files: Readonly<Record<string, { bytes: number; sha256: string }>>
  workspaces?: PackedWorkspaces
}

/** The workspaces in a backup. */
export interface PackedWorkspaces {
  /** The id of the folder that they were in. */
  place: string
  /** By the id of the workspace. The checksum covers names, kinds, rights, times and contents. */
  trees: Readonly<Record<string, { files: number; bytes: number; sha256: string }>>
  /** How many files are not in it, or not as they were at one moment. */
  noted: number
  /** The first of them. */
  notes: readonly PackNote[]
}

/** A file that is missing in a backup, or that may be mixed from two moments. */
export interface PackNote {
  workspace: string
  path: string
  reason: PackReason
}

/**
 * `changed`: a program wrote to it while it was copied. The others are left out: beyond the size
 * that a workspace may have, with a hard link that leads out of the workspace, not a regular file,
 * closed by its owner, or with a name that is not UTF-8 or too deep.
 */
export type PackReason = 'changed' | 'too large' | 'linked' | 'special' | 'unreadable' | 'unnamed'

/** The workspaces in a backup, in figures. */
export interface WorkspacesSummary extends Pick<PackedWorkspaces, 'noted' | 'notes'> {
  count: number
  /** Files, folders and links. */
  files: number
  bytes: number
}

export const manifestName = 'toolcrib-backup.json'
