import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { toWindowsCommand } from './windows-command.ts'

export interface SpawnOptions {
  command: string
  args: readonly string[]
  /** All of its environment. */
  env: Readonly<Record<string, string>>
  cwd?: string
}

/** A server process with everything it starts: one process group, which ends as one. */
export interface ServerProcess {
  readonly child: ChildProcess
  /** Asks it to end, then kills the whole group. Resolves when the process has exited. */
  end(): Promise<void>
}

/**
 * The command takes the place of the shell, which is the leader of a group of its own. Beside it a
 * watcher waits for our end of a pipe to close, which the kernel does however we die, `kill -9`
 * included; then it ends the group. It belongs to the group itself, so the group's number can't
 * become somebody else's while it waits.
 */
const script = `
( trap '' TERM INT HUP
  read -r _ <&3
  kill -TERM -$$ 2>/dev/null
  sleep 1
  kill -KILL -$$ 2>/dev/null ) </dev/null >/dev/null 2>&1 &
exec 3<&-
exec "$@"
`

/** After the end of its input, then after being asked to end. */
const patienceMs = { afterInputEnds: 500, afterTerm: 2000 }

/** Starts a server. A command that can't be started shows as an `error` or early `exit` of the child. */
export function spawnServer({ command, args, env, cwd }: SpawnOptions): ServerProcess {
  const isWatched = process.platform !== 'win32'
  const {
    file,
    args: argv,
    isVerbatim,
  } = isWatched
    ? { file: '/bin/sh', args: ['-c', script, 'toolcrib-mcp', command, ...args], isVerbatim: false }
    : toWindowsCommand({ command, args, env })
  const child = spawn(file, [...argv], {
    env: { ...env },
    stdio: ['pipe', 'pipe', 'pipe', ...(isWatched ? (['pipe'] as const) : [])],
    detached: isWatched,
    windowsHide: true,
    windowsVerbatimArguments: isVerbatim,
    ...(cwd !== undefined && { cwd }),
  })
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const watch = child.stdio[3] as Writable | undefined
  // Child processes that it leaves behind when it exits by itself are ended too.
  watch?.on('error', () => undefined)
  void gone.then(() => watch?.destroy())

  async function end(): Promise<void> {
    child.stdin?.end()
    await soon(gone, patienceMs.afterInputEnds)
    signalGroup(child, 'SIGTERM')
    await soon(gone, patienceMs.afterTerm)
    signalGroup(child, 'SIGKILL')
    await gone
    watch?.destroy()
  }
  return { child, end }
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    // There are no groups on Windows: what cmd.exe has started is ended as its tree.
    if (process.platform === 'win32') endTree(child.pid)
    else process.kill(-child.pid, signal)
  } catch {
    // Nobody is left.
  }
}

function endTree(pid: number): void {
  const options = { stdio: 'ignore', windowsHide: true } as const
  spawn('taskkill', ['/pid', String(pid), '/T', '/F'], options).on('error', () => undefined)
}

async function soon(done: Promise<void>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  await Promise.race([done, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}
