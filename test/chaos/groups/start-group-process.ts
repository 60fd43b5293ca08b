import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { NodeProcess } from '../node-processes.ts'

const program = path.join(import.meta.dirname, 'group-node.ts')

export interface GroupProcessOptions {
  cwd: string
  args: readonly string[]
  env: Record<string, string>
}

/** Starts a library node and waits until it is at work. Rejects with what it printed when it does not get there. */
export async function startGroupProcess(options: GroupProcessOptions): Promise<NodeProcess> {
  const child = spawn(process.execPath, [program, ...options.args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  for await (const line of createInterface({ input: child.stdout })) {
    const { pid } = JSON.parse(line) as { pid: number }
    const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
      child.kill(signal)
      return exited
    }
    return {
      pid,
      exited,
      errors: () => errors,
      kill: async () => void (await end('SIGKILL')),
      stop: () => end('SIGTERM'),
    }
  }
  throw new Error(`The node ended before it was at work: ${errors}`)
}
