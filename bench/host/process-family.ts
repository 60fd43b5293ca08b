import { readdir, readFile } from 'node:fs/promises'

/** A process, told apart from a later one with the same number by its start. */
interface Known {
  pid: number
  parent: number
  startedAt: string
}

/** A process and everything that it has started. */
export async function familyOf(root: number): Promise<Known[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const all = (await Promise.all(pids.map(readOne))).filter((one) => one !== undefined)
  const family = new Map(all.filter(({ pid }) => pid === root).map((one) => [one.pid, one]))
  for (let before = 0; before < family.size;) {
    before = family.size
    for (const one of all) if (family.has(one.parent)) family.set(one.pid, one)
  }
  return [...family.values()]
}

/** Resolves when none of them is left; a process that ended and was not collected is gone. */
export async function untilAllGone(family: readonly Known[]): Promise<void> {
  for (let left = family; left.length > 0;) {
    const now = await Promise.all(left.map(({ pid }) => readOne(String(pid))))
    left = left.filter((one, at) => now[at]?.startedAt === one.startedAt)
    if (left.length > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** What a process holds of the memory of this machine. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024
}

async function readOne(pid: string): Promise<Known | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name of the program stands in brackets and may hold anything.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ')
  if (fields === undefined || 'ZX'.includes(fields[0] ?? '')) return undefined
  return { pid: Number(pid), parent: Number(fields[1]), startedAt: fields[19] ?? '' }
}
