import type { Caller } from '../kernel/call.ts'
import type { Processes, RunRequest } from '../kernel/context/processes.ts'
import type { EgressDoor } from './network-policy.ts'
import type { WorkspaceFolder } from './workspace-folder.ts'

export const sandboxDriverNames = ['bwrap', 'docker', 'seatbelt', 'e2b', 'none'] as const

/** A way to run commands apart from this machine; `none` does not. */
export type SandboxDriverName = (typeof sandboxDriverNames)[number]

/** The limits of a command. Zero lifts one, where that is possible. */
export interface SandboxLimits {
  /** Processes and threads at once. */
  processes: number
  /** Address space of each process, in MB. */
  addressSpaceMb: number
  /** Memory of all processes together, in MB; only where limits are enforced. */
  memoryMb: number
  /** The largest file, in MB. */
  fileMb: number
  openFiles: number
  /** CPU time of each process. */
  cpuSeconds: number
  /** `/tmp`, which is empty again for each command. */
  tmpMb: number
}

/** One attempt to get out of the sandbox, made from inside. */
export interface SandboxCheck {
  name: string
  title: string
  /** It did not succeed. */
  isOk: boolean
  detail?: string
}

export interface SandboxState {
  driver: SandboxDriverName
  state: 'verified' | 'unavailable' | 'unsandboxed'
  limits: 'enforced' | 'best-effort' | 'none'
  /** Why it is unavailable. */
  reason?: string
  fix?: string
  checks: readonly SandboxCheck[]
  /** ISO time. */
  checkedAt: string
  durationMs: number
}

/** A background process, as events report it. */
export interface ProcessNotice {
  workspace: string
  pid: number
  command: string
  exitCode?: number | undefined
  signal?: string | undefined
  durationMs?: number
}

/** The workspace that commands run in. */
export interface ProcessPlace extends WorkspaceFolder {
  /** Commands can read it, and write to `/tmp` only. */
  readonly isReadOnly?: boolean
}

/** The caller and the place of processes. */
export interface ProcessOwner {
  caller: Caller
  /** Opened when the first command runs. */
  folder(): Promise<ProcessPlace>
  /** The way to the network for one command; undefined if the rules allow no host to it. */
  openEgress?(options: {
    /** The folder for the socket, and its owner. */
    folder: string
    owner: WorkspaceFolder['owner']
    relays?: RunRequest['relays']
  }): Promise<EgressDoor | undefined>
  /** Before a command that may write: throws `quota_exceeded` if there is too much already. */
  assertKept(id: string): Promise<void>
  /**
   * After a command, which may have written files, and while it runs: then also with what it has
   * deleted and still holds. Throws `quota_exceeded`.
   */
  measure(id: string, heldBytes?: number): Promise<unknown>
  /** Aborts what is running. Background processes stay. */
  signal?: AbortSignal | undefined
}

/** The processes of one workspace, for a person who looks after them. */
export interface WorkspaceProcesses extends Pick<Processes, 'list' | 'status' | 'output' | 'kill'> {
  /** The process reads to the end of its input. */
  closeInput(pid: number): Promise<void>
}

/** The sandbox of this machine. */
export interface Sandbox {
  /** The result of the last check. Checks if there has been none. */
  state(): Promise<SandboxState>
  /** The result of the last check, if there has been one. */
  known(): SandboxState | undefined
  /** Checks again. */
  check(): Promise<SandboxState>
  processesFor(owner: ProcessOwner): Processes
  processesIn(workspaceId: string): WorkspaceProcesses
  /** True while a command or process runs in a workspace. */
  isBusy(workspaceId: string): boolean
  /**
   * Ends the background processes of a workspace, whose output stays, and the commands that may
   * write. Resolves when they have ended.
   */
  stopAll(workspaceId: string): Promise<void>
  /** Ends everything in a workspace and forgets it. Resolves when they have ended. */
  endAll(workspaceId: string): Promise<void>
  /** Called when a background process has started or ended, and after each check. */
  onNotice(listener: SandboxListener): void
  close(): Promise<void>
}

export interface SandboxListener {
  started?(caller: Caller, process: ProcessNotice): void
  ended?(caller: Caller, process: ProcessNotice): void
  checked?(state: SandboxState): void
}
