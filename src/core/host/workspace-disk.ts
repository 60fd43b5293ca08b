import type { PackReason } from '../backup/backup.ts'
import type {
  Workspace,
  WorkspaceEntry,
  WorkspaceMode,
  WorkspaceUsage,
} from '../kernel/context/workspace.ts'

/** The size of a workspace. Folders and links count as files: each costs the disk something. */
export interface WorkspaceSize {
  bytes: number
  files: number
}

/** The owner of new files, if the server runs as root. */
export interface FileOwner {
  uid: number
  gid: number
}

/** How one file of a workspace differs from the baseline. */
export interface WorkspaceChange {
  path: string
  change: 'added' | 'changed' | 'deleted'
  /** Unified; absent for binary and large files, and if the old content was not kept. */
  diff?: string
  isBinary?: boolean
  bytes: number
  /** ISO time. */
  at: string
}

/** The files of one workspace, with what only the server's own routes need. */
export interface WorkspaceFiles extends Workspace {
  /**
   * Writes a file from a stream: whole, or not at all. It becomes part of the baseline. With
   * `isDelivery`, also into a read-only workspace.
   */
  receive(
    path: string,
    content: AsyncIterable<Uint8Array>,
    options?: { overwrite?: boolean; isDelivery?: boolean },
  ): Promise<WorkspaceEntry>
  /** The bytes of a file, in pages. It is open until the last page was read. */
  open(path: string): Promise<{ entry: WorkspaceEntry; content: AsyncIterableIterator<Uint8Array> }>
  /** Counts everything in it. Stops at `most` files. */
  measure(most: number): Promise<WorkspaceSize>
  /** The differences from the baseline, by path. */
  changes(limit: number): Promise<{ changes: WorkspaceChange[]; isPartial: boolean }>
  /** Makes what is there now the baseline. */
  rebase(): Promise<void>
}

/** How much a workspace may hold, checked before each change. */
export interface Allowance {
  usage(): WorkspaceUsage
  /** Throws `quota_exceeded` when that much more does not fit. */
  reserve(more: WorkspaceSize): void
  /** Counts less: of what was deleted, or reserved and not used. */
  release(less: WorkspaceSize): void
}

export interface DiskWorkspace {
  readonly id: string
  readonly owner: FileOwner | undefined
  readonly allowance: Allowance
  /** Throws `denied` if nothing may be changed. */
  assertWritable(): void
  mode(): WorkspaceMode
}

/** A file, folder or link of a workspace, as a backup holds it. */
export interface PackedEntry {
  /** `files/…`, or `base/…` for what the server keeps about the baseline. */
  path: string
  kind: 'file' | 'folder' | 'link'
  /** The rights, as in `chmod`. */
  mode: number
  modifiedMs: number
  /** Of a file. */
  bytes: number
  /** Of a link: the text in it. */
  target?: string | undefined
}

/** An entry with its content, which has exactly as many bytes as were promised. */
export interface PackedFile extends PackedEntry {
  content: AsyncIterable<Uint8Array>
}

export interface PackBounds {
  /** Files that exceed this in all are left out. A sparse file counts with its full length. */
  maxBytes: number
  maxFiles: number
  onNote(path: string, reason: PackReason): void
}

/** Puts a workspace back. Nothing of it is used before `end`. */
export interface WorkspaceUnpacking {
  write(entry: PackedFile): Promise<void>
  end(): Promise<void>
}

/** The folder that holds workspaces. */
export interface WorkspaceDisk {
  /** The id of this folder: nodes that share it have the same. */
  readonly place: string
  /** True if new files need an owner: the server runs as root. */
  readonly needsOwner: boolean
  /** Makes the folders of a workspace; those that exist are kept. */
  create(id: string, whose: { tenant: string; owner: FileOwner | undefined }): Promise<void>
  /** Absolute: where the files are. Throws `workspace_unavailable` if they are not there. */
  find(id: string): string
  files(workspace: DiskWorkspace): WorkspaceFiles
  /** Removes a workspace with everything in it; nothing happens if it is not there. */
  remove(id: string): Promise<void>
  /** The workspaces in it. The tenant is missing if a crash came before it was written. */
  list(): Promise<{ id: string; tenant: string | undefined }[]>
  /** True for one that is older than this and has no files: a crash came before its row. */
  isAbandoned(id: string, options: { olderThanMs: number }): Promise<boolean>
  /**
   * Everything in a workspace, each entry after the folder that it is in. Nothing follows links or
   * waits for those who write. The listing of a workspace that is removed in the meantime ends early.
   */
  pack(id: string, bounds: PackBounds): AsyncGenerator<PackedFile>
  /** Puts a packed workspace into an empty place. No entry leads out of it. */
  unpack(
    id: string,
    whose: { tenant: string; owner: FileOwner | undefined },
  ): Promise<WorkspaceUnpacking>
  /** Removes what crashes have left behind. */
  clean(options: { olderThanMs: number }): Promise<void>
}
