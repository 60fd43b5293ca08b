import type { Readable, Writable } from 'node:stream'
import type { Workspace } from '../../core/kernel/context/workspace.ts'
import type { SandboxCheck, SandboxDriverName, SandboxLimits } from '../../core/host/sandbox.ts'

/** A workspace, as drivers see it. */
export interface BoxPlace {
  readonly id: string
  /** Absolute. */
  readonly folder: string
  readonly owner: { uid: number; gid: number } | undefined
  /** Commands may not change it. */
  readonly isReadOnly?: boolean
  /** For drivers that do not share the folder. */
  readonly files?: Workspace
}

/** A sandbox for the commands of one workspace. */
export interface BoxOptions {
  place: BoxPlace
  limits: SandboxLimits
  /** The socket of a proxy, its only way to a network. */
  egressSocket?: string | undefined
}

/** A command, checked and complete. */
export interface BoxCommand {
  program: string
  args: readonly string[]
  /** Beneath the workspace; empty for its root. */
  cwd: string
  env: Readonly<Record<string, string>>
}

/** How the first process of a command ended. */
export interface BoxEnd {
  exitCode: number | undefined
  signal: string | undefined
}

export type BoxSignal = 'SIGTERM' | 'SIGKILL' | 'SIGINT' | 'SIGHUP'

/** A command that runs, with all the processes it starts. */
export interface BoxProcess {
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when no process of it is left. Rejects if the box could not start. */
  readonly ended: Promise<BoxEnd>
  /** Bytes of workspace files that it has deleted and still holds; absent where nobody can know. */
  heldBytes?(): Promise<number>
  /** To the processes in the foreground; `SIGKILL` ends everything in the box. */
  kill(signal: BoxSignal): void
}

/** Where commands of one workspace run. Commands do not see each other's processes. */
export interface Box {
  spawn(command: BoxCommand): Promise<BoxProcess>
}

/** Whether a driver can be used here. */
export interface DriverVerdict {
  isSafe: boolean
  limits: 'enforced' | 'best-effort' | 'none'
  checks: readonly SandboxCheck[]
  reason?: string
  fix?: string
}

/** A way to run commands apart from this machine. */
export interface SandboxDriver {
  readonly name: SandboxDriverName
  /** Commands can reach nothing, the hosts that a proxy allows, or everything. */
  readonly network: 'none' | 'egress' | 'open'
  /** The same text as long as the result of `verify` holds; undefined if it is never kept. */
  fingerprint(): Promise<string | undefined>
  verify(): Promise<DriverVerdict>
  open(options: BoxOptions): Promise<Box>
  /** The workspace is going: ends what is kept ready for it. */
  release?(workspaceId: string): Promise<void>
  close(): Promise<void>
}
