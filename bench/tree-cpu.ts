import { readdir, readFile } from 'node:fs/promises'

/** Linux counts in hundredths of a second. */
const tickMicros = 10_000

/** CPU that a process and those it started have used so far, in microseconds; undefined where that can't be told. */
export async function treeCpu(root: number): Promise<number | undefined> {
  const pids = await readdir('/proc').catch(() => [])
  const all = await Promise.all(pids.filter((name) => /^\d+$/.test(name)).map(readStat))
  const known = all.filter((one) => one !== undefined)
  if (!known.some(({ pid }) => pid === root)) return undefined
  const family = new Set([root])
  // A child has a higher number than its parent nearly always; two rounds find the others.
  for (let round = 0; round < 3; round += 1) {
    for (const { pid, parent } of known) if (family.has(parent)) family.add(pid)
  }
  const ticks = known.filter(({ pid }) => family.has(pid)).reduce((sum, one) => sum + one.ticks, 0)
  return ticks * tickMicros
}

async function readStat(pid: string) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name of the program stands in brackets and may hold anything.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  if (fields === undefined) return undefined
  const [, parent, user, system] = [0, 1, 11, 12].map((index) => Number(fields[index]))
  return { pid: Number(pid), parent: parent ?? 0, ticks: (user ?? 0) + (system ?? 0) }
}
