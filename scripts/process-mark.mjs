import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * What tells a process from a later one with the same pid.
 *
 * @param {number} pid
 * @returns {{ pid: number, startedAt?: string, command?: string }} without `startedAt` it is gone
 */
export function processMark(pid) {
  if (process.platform === 'linux') return linuxMark(pid)
  const { status, stdout } = spawnSync('ps', ['-o', 'lstart=,command=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
  })
  if (status !== 0) return { pid }
  return { pid, startedAt: stdout.slice(0, 24).trim(), command: stdout.slice(24).trim() }
}

/** @param {{ pid: number, startedAt?: string }} mark */
export function isSameProcess(mark) {
  const { startedAt } = processMark(mark.pid)
  return startedAt !== undefined && startedAt === mark.startedAt
}

function linuxMark(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in parentheses, may hold anything; the start is the 20th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie waits for a parent that does not care, and does nothing more itself.
    if (fields[0] === 'Z') return { pid }
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    return { pid, startedAt: fields[19], command }
  } catch {
    return { pid }
  }
}
