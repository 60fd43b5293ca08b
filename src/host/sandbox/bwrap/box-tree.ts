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
