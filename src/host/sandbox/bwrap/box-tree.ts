import { readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import type { BoxSignal } from '../driver.ts'

function firstChild(pid: number): number | undefined {
  try {
    const [first = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
    return first === '' ? undefined : Number(first)
  } catch {
    return undefined
  }
}

/** The first process inside a box. */
export interface BoxInit {
  pid: number
  /** When it started: another process may get its id later. */
  startedAt: string
}

/** Found while the box waits for its command; it can't end before that. */
export function findInit(outer: number): BoxInit | undefined {
  const pid = firstChild(outer)
  const startedAt = pid === undefined ? undefined : readStart(pid)
  return pid === undefined || startedAt === undefined ? undefined : { pid, startedAt }
}

/**
 * Resolves when nothing of the box is left. bwrap ends as soon as it knows the exit code, which is
 * before its first process has ended all others.
 */
export async function untilGone({ pid, startedAt }: BoxInit): Promise<void> {
  for (let waitMs = 1; readStart(pid) === startedAt; waitMs = Math.min(waitMs * 2, 50)) {
    send(pid, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}

/** Undefined once the process has ended, also if nobody has collected it yet. */
function readStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state = '', ...facts] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return 'ZX'.includes(state) ? undefined : facts[18]
  } catch {
    return undefined
  }
}

/** All processes of a box that waits for its command, by their ids on this machine. */
export function waitingProcesses(outer: number): number[] {
  const init = firstChild(outer)
  const command = init === undefined ? undefined : firstChild(init)
  return [outer, init, command].filter((pid) => pid !== undefined)
}

/** The server goes first when there is more to do than there are processors. */
export function yieldToServer(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      setPriority(pid, 10)
    } catch {
      // It has ended, or this system does not allow it: nothing depends on it.
    }
  }
}

/** Sends a signal to the command and its group; `SIGKILL` ends the box with everything in it. */
export function signalBox(outer: number, signal: BoxSignal): void {
  // The first process inside leads the group of the command. When it is killed, the kernel ends all
  // others with it, and bwrap exits after that.
  const init = firstChild(outer)
  if (signal === 'SIGKILL') send(init ?? outer, signal)
  // It ignores every signal but SIGKILL itself.
  else if (init !== undefined) send(-init, signal)
}

function send(pid: number, signal: BoxSignal): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
