import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** What every command of the benchmark is. */
export const command = 'true'

/** Milliseconds of a command without any sandbox. */
export async function plainSpawn(): Promise<number> {
  const startedAt = performance.now()
  const child = spawn('bash', ['-c', command], { stdio: 'pipe' })
  child.stdout.resume()
  child.stderr.resume()
  child.stdin.end()
  await once(child, 'close')
  return performance.now() - startedAt
}
