import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import { boxWorkspace } from './box-script.ts'

/**
 * The bytes of workspace files that processes of a box have deleted and still hold: they take disk
 * space that no walk over folders finds. `mostBytes` counts for a file whose size only a mapping
 * shows, and which this user may not look at: it can't be larger.
 */
export async function measureHeldFiles(init: number, mostBytes: number): Promise<number> {
  const sizes = new Map<string, number>()
  const pids = await listTree(init)
  for (const pid of pids) await addOpen(pid, sizes)
  for (const pid of pids) await addMapped(pid, sizes, mostBytes)
  return sizes.values().reduce((sum, bytes) => sum + bytes, 0)
}

/** All processes of a box. Those whose parent has ended belong to the first one. */
async function listTree(init: number): Promise<number[]> {
  const pids = [init]
  for (const pid of pids) {
    for (const task of await names(`/proc/${pid}/task`)) {
      const text = await readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')
      pids.push(...text.split(' ').filter(Boolean).map(Number))
    }
  }
  return pids
}

async function addOpen(pid: number, sizes: Map<string, number>): Promise<void> {
  const folder = `/proc/${pid}/fd`
  for (const fd of await names(folder)) {
    const target = await readlink(`${folder}/${fd}`).catch(() => '')
    if (isDeletedFile(target)) await addFile(`${folder}/${fd}`, sizes)
  }
}

async function addMapped(
  pid: number,
  sizes: Map<string, number>,
  mostBytes: number,
): Promise<void> {
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8').catch(() => '')
  for (const line of maps.split('\n')) {
    const [, range = '', device = '', inode = '', name = ''] =
      /^(\S+) \S+ \S+ (\S+) (\d+) +(.*)$/.exec(line) ?? []
    if (!isDeletedFile(name) || sizes.has(inode)) continue
    const isFound = await addFile(`/proc/${pid}/map_files/${range}`, sizes)
    if (!isFound && device !== '00:00') sizes.set(inode, mostBytes)
  }
}

/** False if this user may not inspect it, or it was closed. */
async function addFile(link: string, sizes: Map<string, number>): Promise<boolean> {
  const facts = await stat(link).catch(() => undefined)
  if (facts === undefined) return false
  // With another name, it counts where that is.
  const isHeld = facts.isFile() && facts.nlink === 0
  if (isHeld) sizes.set(String(facts.ino), Math.min(facts.size, facts.blocks * 512))
  return true
}

/** As the kernel shows it. Nobody in a box can mount anything else under this path. */
function isDeletedFile(target: string): boolean {
  return target.startsWith(`${boxWorkspace}/`) && target.endsWith(' (deleted)')
}

function names(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => [])
}
