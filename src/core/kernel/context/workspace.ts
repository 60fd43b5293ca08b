/** Permission to change files: never, after a person has agreed, or without asking. */
export const workspaceModes = ['read-only', 'ask', 'free'] as const

export type WorkspaceMode = (typeof workspaceModes)[number]

/** A file or folder of a workspace, as listed. Paths are relative, with `/` between their parts. */
export interface WorkspaceEntry {
  path: string
  kind: 'file' | 'folder' | 'link' | 'other'
  bytes: number
  /** ISO time. */
  modifiedAt: string
}

/** Part of the bytes of a file. */
export interface WorkspaceBytes {
  entry: WorkspaceEntry
  bytes: Uint8Array
  /** True if the file continues after these bytes. */
  isPartial: boolean
}

export interface WorkspaceMatch {
  path: string
  line: number
  text: string
}

export interface WorkspaceFacts {
  id: string
  mode: WorkspaceMode
}

/** The size of a workspace and its limits. */
export interface WorkspaceUsage {
  bytes: number
  files: number
  maxBytes: number
  maxFiles: number
}

/**
 * The files of one session. No path leaves the folder: neither by `..`, nor by links, nor by a
 * race. Throws `invalid_input` for a path that is malformed or leads outside, `not_found`,
 * `conflict` (exists already, or changed in the meantime), `quota_exceeded`, and `denied` for writing in a
 * read-only workspace.
 */
export interface Workspace {
  facts(): Promise<WorkspaceFacts>
  usage(): Promise<WorkspaceUsage>
  /** Of a link, that of the link itself. */
  stat(path: string): Promise<WorkspaceEntry | undefined>
  /** Each folder before what is in it, by name; `isPartial` when there are more than `limit`. */
  list(
    path: string,
    options: { recursive?: boolean; limit: number },
  ): Promise<{ entries: WorkspaceEntry[]; isPartial: boolean }>
  read(path: string, options?: { offset?: number; maxBytes?: number }): Promise<WorkspaceBytes>
  /**
   * Replaces the file as a whole or not at all, and creates the folders above it. With `ifContent`,
   * only if the file still has this content: `conflict` otherwise.
   */
  write(
    path: string,
    content: string | Uint8Array,
    options?: { overwrite?: boolean; ifContent?: string | Uint8Array },
  ): Promise<WorkspaceEntry>
  /** Reads and replaces in one step. If the file changed in between, `change` runs again. */
  edit(path: string, change: (text: string) => string): Promise<WorkspaceEntry>
  makeFolder(path: string): Promise<WorkspaceEntry>
  move(from: string, to: string, options?: { overwrite?: boolean }): Promise<WorkspaceEntry>
  delete(path: string, options?: { recursive?: boolean }): Promise<void>
  glob(
    pattern: string,
    options: { path?: string; limit: number },
  ): Promise<{ entries: WorkspaceEntry[]; isPartial: boolean }>
  grep(search: {
    pattern: string
    path?: string
    /** Only files that match this glob. */
    files?: string
    ignoreCase?: boolean
    limit: number
    signal?: AbortSignal
  }): Promise<{ matches: WorkspaceMatch[]; isPartial: boolean; filesRead: number }>
}
