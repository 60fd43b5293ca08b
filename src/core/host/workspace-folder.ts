import type { Workspace } from '../kernel/context/workspace.ts'
import type { Caller } from '../kernel/call.ts'

/** A workspace with its place on this machine. */
export interface WorkspaceFolder {
  readonly id: string
  readonly tenant: string
  /** Absolute. Named by the id table alone, never by what a caller sent. */
  readonly folder: string
  /**
   * The user and group that own the files, if the server runs as root: those of the tenant, under
   * which the sandbox runs. Undefined if the server has an ordinary user, who owns them then.
   */
  readonly owner: { uid: number; gid: number } | undefined
  readonly files: Workspace
}

/** Opens the workspaces of sessions. */
export interface WorkspaceFolders {
  /** That of the caller's session, or the caller's own without a session. Created when first used. */
  open(caller: Caller): Promise<WorkspaceFolder>
  /**
   * Counts what is in it again, after a process could write there, and adds what processes hold on
   * the disk besides. Throws `quota_exceeded`.
   */
  measure(id: string, heldBytes?: number): Promise<{ bytes: number; files: number }>
  /** Called when fewer changes to a workspace are allowed than before. */
  onNarrow(listener: (id: string) => Promise<void>): void
  /** A workspace stays known to this node while one of these is true of it. */
  keepWhile(isBusy: (id: string) => boolean): void
  /** Called before the folder of a workspace is removed. */
  onRemove(listener: (id: string) => Promise<void>): void
}
