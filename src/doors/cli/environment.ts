import type { LoadReport } from '../../core/crib-api.ts'
import type { WorkspacesSummary } from '../../core/backup/backup.ts'
import type { TypedContract } from '../../core/schema/print-tool-types.ts'

/** The default port of `dev` and `start`. */
export const defaultPort = 4680

/** Where a server keeps its data and how it is reached. Paths are absolute or relative to `cwd`. */
export interface ServerOptions {
  /** 0 means any free one; absent means the configuration's, else `defaultPort`. */
  port?: number
  /** Absent means the configuration's, else 127.0.0.1. */
  host?: string
  /** The data folder, already resolved to an absolute path. */
  data: string
  /** Folders of tools from `--tools`, absolute; if empty, the configuration decides. */
  tools: readonly string[]
  /** The configuration file, absolute; absent means the one found in `cwd`. */
  config?: string
  /** A PostgreSQL URL; absent means the configuration's, else the embedded store in `data`. */
  database?: string
  /** Output is for a program. */
  json: boolean
  cwd: string
}

/**
 * Without a data folder: create one; refuse; or, for reading, lend a temporary one if this is a
 * project with tools, and refuse otherwise.
 */
export type WithoutData = 'make' | 'refuse' | 'lend'

export type FetchLike = (url: string, init?: RequestInit) => Promise<Response>

/** The same HTTP API, answered in this process. */
export interface LocalServer {
  fetch: FetchLike
  url: string
  key: string
  /** The data folder that somebody named, if this command created it. */
  created?: string
  close(): Promise<void>
}

/** The report of a server that is ready to answer requests. */
export interface ReadyReport {
  url: string
  /** The owner's one-time sign-in link. */
  signIn?: string
  tools: number
  /** How many of these are built in. */
  builtIn?: number
  /** A file of environment variables that was read, and how many of them were not set before. */
  envFile?: { file: string; variables: number }
  /** Files that were left out or have warnings. */
  problems: readonly LoadReport[]
  /** Messages for the person who started it. */
  warnings: readonly string[]
  /** Where records are stored, for people: `embedded store in …`, `PostgreSQL at …`. */
  store?: string
}

/** One hot reload: the files that were looked at again, and how many tools there are now. */
export interface ReloadReport {
  files: readonly LoadReport[]
  removed: readonly string[]
  tools: number
  durationMs: number
}

/** Log settings from the command line; the rest comes from the configuration. */
export interface LogWishes {
  format?: 'text' | 'json'
  level?: 'error' | 'warn' | 'info' | 'debug'
  access?: boolean
}

export interface ServeOptions extends ServerOptions {
  mode: 'dev' | 'start'
  logs?: LogWishes
  /** Serve the console from source with hot reload, for its developers. */
  isConsoleFromSource?: boolean
  /** Print a link that signs the owner in? By default the configuration decides. */
  signInLink?: 'always' | 'never'
  /** Its output is read: by a terminal, a program that asked for JSON, or a developer. */
  isWatched: boolean
  onReady(report: ReadyReport): void
  onReload(report: ReloadReport): void
  /** The configuration or its environment has changed; a restart is needed. */
  onSetupChange(file: string): void
  /** Aborted on SIGTERM and SIGINT: drain, close, resolve. */
  signal: AbortSignal
}

export type CheckOptions = Pick<ServerOptions, 'tools' | 'config' | 'cwd' | 'data'>

/** One thing `check` found. `path` is a JSON pointer into the tool's definition. */
export interface CheckFinding {
  file: string
  line?: number
  column?: number
  tool?: string
  path?: string
  severity: 'error' | 'warning'
  /** The rule's name: `load`, `name`, `example`, `portability`, `description`, … */
  rule: string
  message: string
  fix?: string
}

export interface CheckReport {
  files: number
  tools: number
  findings: readonly CheckFinding[]
}

/** The tools of a project, as `types` writes them down. */
export interface ToolTypes {
  /** Where the configuration lies, absolute: the file goes there. */
  folder: string
  contracts: readonly TypedContract[]
}

export interface MigrateProgress {
  table: string
  done: number
  total?: number
}

export interface MigrateReport {
  tables: readonly { table: string; rows: number }[]
  durationMs: number
}

/** Where a backup goes. */
export interface BackupTarget {
  /** A file, or a folder that gets one; relative to `cwd`. */
  to: string | undefined
  cwd: string
  /** A master key to add. */
  key?: Uint8Array
  onProgress?: (progress: ByteProgress) => void
}

/** How many bytes are done, and how many there are if that is known. */
export interface ByteProgress {
  done: number
  total?: number
}

/** Where a download goes. */
export interface DownloadTarget {
  /** A file, or a folder to write it in; the working directory unless given. */
  to: string | undefined
  cwd: string
  /** Its name in a folder. */
  name: string
}

export interface WrittenDownload {
  file: string
  bytes: number
}

export interface WrittenBackup extends WrittenDownload {
  /** False with PostgreSQL: the file then has workspaces alone. */
  hasDatabase: boolean
  workspaces?: WorkspacesSummary
}

/** A backup, and the data folder it is for. Both absolute. */
export interface RestoreRequest {
  file: string
  data: string
  onProgress?: ((progress: ByteProgress) => void) | undefined
}

/** The contents of a valid backup. */
export interface BackupReport {
  createdAt: string
  /** The version of Toolcrib that wrote it. */
  version: string
  hasMasterKey: boolean
  /** A master key was available, and it opens the backup. */
  isKeyChecked: boolean
  /** None if it holds the files of workspaces alone. */
  tables: readonly { table: string; rows: number }[]
  lastCallAt?: string
  workspaces?: WorkspacesSummary
}

/** One check of `doctor`. An `error` keeps Toolcrib from working, a `warning` only takes something away. */
export interface DoctorFinding {
  name: string
  level: 'ok' | 'warning' | 'error'
  message: string
  fix?: string
}

/** Settings that a folder has for the server opened in it. Paths are absolute. */
export interface FolderSetup {
  config?: string
  /** Without a configuration: the folder of tools that counts, where it is there. */
  tools: readonly string[]
}

/** True in a clone of the repository. */
export interface Checkout {
  folder: string
  /** `npm run build` has written the types and entry points that the package exports. */
  isBuilt: boolean
}

/** Everything the command line uses of the rest of the program; otherwise it only speaks HTTP. */
export interface CliEnvironment {
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
  stdin: NodeJS.ReadableStream
  /** Is stdout a terminal? (stderr and stdin say so themselves, by `isTTY`.) */
  isTty: boolean
  columns: number
  cwd: string
  env: Readonly<Record<string, string | undefined>>
  version: string
  /** The command with which other programs start this command line; `npx -y toolcrib` unless given. */
  program?: readonly string[]
  /** How a running server is reached; the global fetch when absent. */
  fetch?: FetchLike
  /**
   * Called on SIGINT and SIGTERM while listening; they then do not end the process. Returns a
   * function that stops listening.
   */
  onSignal(listener: (signal: 'SIGINT' | 'SIGTERM') => void): () => void
  /** Opens the store itself and answers the same HTTP API in process. Only when no server runs. */
  openLocal(options: ServerOptions & { withoutData?: WithoutData }): Promise<LocalServer>
  /** Serves until the signal aborts; resolves when everything is drained and closed. */
  serve(options: ServeOptions): Promise<void>
  /** Loads and lints every tool of the folders; opens no store. */
  check(options: CheckOptions): Promise<CheckReport>
  /** Loads every tool, built-in ones included; opens no store. Throws where a file can't be loaded. */
  toolTypes(options: CheckOptions): Promise<ToolTypes>
  /** Copies an embedded store to the PostgreSQL at `to`. */
  migrate(
    options: ServerOptions & { to: string },
    onProgress: (progress: MigrateProgress) => void,
  ): Promise<MigrateReport>
  /** Writes the archive that a server answers with; refuses to overwrite. */
  writeBackup(response: Response, target: BackupTarget): Promise<WrittenBackup>
  /** Writes a file that a server answers with; refuses to overwrite. */
  writeDownload(response: Response, target: DownloadTarget): Promise<WrittenDownload>
  /** Creates a data folder from a backup; refuses a folder that is not empty. */
  restore(request: RestoreRequest): Promise<BackupReport>
  /** Opens a backup in a temporary folder and reads all of it. */
  verifyBackup(request: RestoreRequest): Promise<BackupReport>
  doctor(options: ServerOptions): Promise<DoctorFinding[]>
  /** Looks for them in this folder; reads none of them. */
  findSetup(cwd: string): Promise<FolderSetup>
  /** The zip of a folder with SKILL.md, or the zip at this path. */
  packSkill(place: string): Promise<Uint8Array>
  /** The checkout that this runs from; absent in the installed package. */
  checkout?: Checkout
  /** Only in a checkout: the published package carries no benchmarks. */
  bench?(args: readonly string[]): Promise<number>
}
