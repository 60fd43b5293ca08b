import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface Child {
  process: ChildProcess
  /** The lines it has printed so far. */
  lines: string[]
  /** Resolves when it has printed this many lines, or has ended. */
  printed(count: number): Promise<void>
  /** Resolves with its exit code or signal. */
  ended: Promise<number | string>
}

/** Runs one of the programs beside this file as a process of its own. */
export function startChild(
  program: string,
  args: readonly string[],
  options: { uid?: number } = {},
): Child {
  const path = fileURLToPath(new URL(program, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  })
  const lines: string[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const ended = new Promise<number | string>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'unknown'))
  })
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    for (const { count, resolve } of waiting) if (lines.length >= count) resolve()
  })
  const printed = async (count: number) => {
    if (lines.length >= count) return
    const reached = new Promise<void>((resolve) => {
      waiting.push({ count, resolve })
    })
    await Promise.race([reached, ended])
  }
  return { process: child, lines, printed, ended }
}
