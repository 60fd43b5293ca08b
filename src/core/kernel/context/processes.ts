/** A program to run in the sandbox of the session. */
export interface ProcessRequest {
  /** A line for `bash`, or a program with its arguments, which no shell reads. */
  command: string | readonly [program: string, ...args: string[]]
  /** A folder of the workspace; its root unless given. */
  cwd?: string
  /** Beside a minimal environment. Nothing of the server's own environment is passed on. */
  env?: Readonly<Record<string, string>>
}

export interface RunRequest extends ProcessRequest {
  stdin?: string | Uint8Array
  timeoutMs?: number
  /** Per stream; the rest is dropped and counted. */
  maxOutputBytes?: number
  /**
   * Called with each piece as it arrives, also with those that are dropped from the result. The
   * pieces of one stream come in order.
   */
  onOutput?: (piece: { stream: 'stdout' | 'stderr'; bytes: Uint8Array }) => void
  /**
   * Servers that only this process reaches, each through a function of ours: `http://<name>.internal`
   * inside the sandbox. For credentials that must stay outside.
   */
  relays?: Readonly<Record<string, RelayHandler>>
}

/** Answers the requests that a process sends to a relay. */
export type RelayHandler = (request: Request, signal: AbortSignal) => Promise<Response>

/** How a process ended. */
export interface ProcessResult {
  /** Undefined if a signal ended it. */
  exitCode: number | undefined
  signal: string | undefined
  stdout: Uint8Array
  stderr: Uint8Array
  timedOut: boolean
  /** Bytes that were dropped from each stream. */
  dropped: { stdout: number; stderr: number }
  durationMs: number
}

/** A background process of the session. */
export interface ProcessStatus {
  /** Ours, counted per session; never one of this machine. */
  pid: number
  command: string
  cwd: string
  state: 'running' | 'exited' | 'killed'
  exitCode: number | undefined
  signal: string | undefined
  startedAt: string
  endedAt: string | undefined
  /** Bytes written so far, dropped ones included. */
  stdoutBytes: number
  stderrBytes: number
}

/** A piece of what a background process has written. */
export interface ProcessOutput {
  text: string
  /** Where to read on. */
  next: number
  /** Bytes before `offset` that were dropped from the buffer. */
  dropped: number
  isEnd: boolean
}

/**
 * Programs in the sandbox, with the workspace as their only writable folder. Throws
 * `sandbox_unavailable` if the sandbox of this machine could not be verified.
 */
export interface Processes {
  /** Runs to the end. All its processes have ended when it returns. */
  run(request: RunRequest): Promise<ProcessResult>
  /** Starts a background process, which lives until it ends, is killed, or its session is closed. */
  start(request: ProcessRequest): Promise<ProcessStatus>
  list(): Promise<ProcessStatus[]>
  /** Throws `not_found`. */
  status(pid: number): Promise<ProcessStatus>
  output(
    pid: number,
    options: { stream: 'stdout' | 'stderr'; offset?: number; maxBytes: number },
  ): Promise<ProcessOutput>
  write(pid: number, text: string): Promise<void>
  /** SIGTERM, and after two seconds SIGKILL; or only the signal that is named. */
  kill(pid: number, signal?: 'SIGTERM' | 'SIGKILL' | 'SIGINT' | 'SIGHUP'): Promise<ProcessStatus>
}
