import { readFile, readlink } from 'node:fs/promises'

/** The holder of something, written so that a later process can find out whether it still lives. */
export interface ProcessIdentity {
  pid: number
  /** Clock ticks after boot at which it started, from /proc: tells apart two processes with one pid. */
  startTime?: string
  bootId?: string
  /** Pids mean nothing across containers. */
  pidNamespace?: string
}

/** This process. Fields that the platform does not offer are absent. */
export async function readOwnIdentity(): Promise<ProcessIdentity> {
  const [startTime, bootId, pidNamespace] = await Promise.all([
    readStartTime(process.pid),
    readBootId(),
    readlink('/proc/self/ns/pid').catch(() => undefined),
  ])
  return { pid: process.pid, startTime, bootId, pidNamespace }
}

/**
 * `unknown` when the process is in another container: only its heartbeat shows whether it lives.
 */
export async function findLiveness(
  other: ProcessIdentity,
  own: ProcessIdentity,
): Promise<'alive' | 'dead' | 'unknown'> {
  if (other.bootId !== undefined && own.bootId !== undefined && other.bootId !== own.bootId) {
    return 'dead'
  }
  if (other.pidNamespace !== own.pidNamespace) return 'unknown'
  if (!isRunning(other.pid)) return 'dead'
  if (other.startTime === undefined) return 'alive'
  const startTime = await readStartTime(other.pid)
  return startTime === undefined || startTime === other.startTime ? 'alive' : 'dead'
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it is there, it is not ours.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function readStartTime(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  // The name in brackets may itself contain spaces and brackets; the fields after it are regular.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  // A zombie holds no files any more, but keeps its pid until its parent looks.
  return fields[0] === 'Z' ? 'gone' : fields[19]
}

async function readBootId(): Promise<string | undefined> {
  const id = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => undefined)
  return id?.trim()
}
