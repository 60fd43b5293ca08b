import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { BoxEnd, BoxProcess, BoxSignal } from '../driver.ts'

/** A command that a program of this machine runs for us. */
export interface ChildLaunch {
  program: string
  args: readonly string[]
  options?: Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid' | 'detached'>
  kill(child: ChildProcess, signal: BoxSignal): void
  /** After it has ended, whatever way. */
  afterwards?(): Promise<void>
}

/** Starts a child as the process of a box. */
export async function startChild(launch: ChildLaunch): Promise<BoxProcess> {
  const child = spawn(launch.program, [...launch.args], {
    ...launch.options,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // A command may end without reading its input.
  child.stdin.on('error', () => undefined)
  const ended = endThen(child, launch.afterwards)
  ended.catch(() => undefined)
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error: NodeJS.ErrnoException) => reject(toStartError(error, launch)))
  })
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    kill: (signal) => launch.kill(child, signal),
  }
}

async function endThen(
  child: ChildProcess,
  afterwards: ChildLaunch['afterwards'],
): Promise<BoxEnd> {
  try {
    return await endOf(child)
  } finally {
    await afterwards?.()
  }
}

function endOf(child: ChildProcess): Promise<BoxEnd> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) =>
      resolve({ exitCode: code ?? undefined, signal: signal ?? undefined }),
    )
  })
}

function toStartError(error: NodeJS.ErrnoException, { program }: ChildLaunch): ToolError {
  if (error.code !== 'ENOENT') return new ToolError('tool_failed', error.message)
  return new ToolError(
    'sandbox_unavailable',
    `${program} is not installed, or the folder does not exist`,
    {
      fix: `Install ${program}, or choose another sandbox driver.`,
    },
  )
}

/** Signals a process group. Processes that have left their group are not reached. */
export function killGroup(child: ChildProcess, signal: BoxSignal): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
