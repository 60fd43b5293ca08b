import { appendFileSync } from 'node:fs'

/** A line of what became of groups, kept outside of the database by those who make them and go on with them. */
export interface GroupLine {
  /**
   * `continue`: the continuation began, `threw`: it failed on purpose. Of who waits: `wait` before,
   * then `went-on` with the results, or `gave-up` where it was told that others go on.
   */
  what: 'continue' | 'threw' | 'wait' | 'went-on' | 'gave-up'
  groupId: string
  pid: number
  /** Of the machine, not of a process: lines of all nodes can be compared. */
  atMs: number
  attempt?: number
  /** The ids of the calls whose results were handed over, in that order. */
  results?: readonly string[]
  reason?: string
}

/** One write to a file opened for appending: lines of many processes do not mix. */
export function createGroupJournal(file: string): (line: Omit<GroupLine, 'pid' | 'atMs'>) => void {
  return (line) => {
    const atMs = Number(process.hrtime.bigint() / 1_000_000n)
    appendFileSync(file, `${JSON.stringify({ ...line, pid: process.pid, atMs })}\n`)
  }
}
