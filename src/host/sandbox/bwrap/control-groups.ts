import { existsSync, readFileSync } from 'node:fs'
import { access, constants, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SandboxLimits } from '../../../core/host/sandbox.ts'

/** A group of processes that share one limit on memory and on their number. */
export interface ControlGroup {
  add(pid: number): Promise<void>
  /** After its processes have ended. */
  remove(): Promise<void>
}

/** Creates control groups where this server may; they bound all processes of a box together. */
export interface ControlGroups {
  /** Removes those of servers that have died. */
  removeLeft(): Promise<void>
  create(id: string, limits: SandboxLimits): Promise<ControlGroup>
}

const root = '/sys/fs/cgroup'

/** Undefined where this server may create none: then only the limits of each process hold. */
export async function findControlGroups(): Promise<ControlGroups | undefined> {
  const candidate = (await findVersion2()) ?? (await findVersion1())
  if (candidate === undefined) return undefined
  await candidate.removeLeft()
  try {
    // Containers often show a tree that looks writable and is not.
    const group = await candidate.create(`${process.pid}-try`, tryLimits)
    await group.remove()
    return candidate
  } catch {
    return undefined
  }
}

const tryLimits: SandboxLimits = {
  processes: 8,
  addressSpaceMb: 0,
  memoryMb: 64,
  fileMb: 0,
  openFiles: 0,
  cpuSeconds: 0,
  tmpMb: 1,
}

/**
 * Its own group may not hold processes and limit groups beneath it at once, so that the group above
 * must have been given to this server: `Delegate=yes` with `DelegateSubgroup=` in systemd.
 */
async function findVersion2(): Promise<ControlGroups | undefined> {
  // A hybrid system has version 2 elsewhere, and its controllers in version 1.
  const own = existsSync(path.join(root, 'cgroup.controllers')) ? ownGroup('') : undefined
  if (own === undefined) return undefined
  const parent = path.join(root, path.dirname(own))
  const given = await readFile(path.join(parent, 'cgroup.subtree_control'), 'utf8').catch(() => '')
  const missing = ['memory', 'pids'].filter((name) => !given.split(/\s/).includes(name))
  if (missing.length > 0) {
    const line = missing.map((name) => `+${name}`).join(' ')
    const isGiven = await set(path.join(parent, 'cgroup.subtree_control'), line).then(
      () => true,
      () => false,
    )
    if (!isGiven) return undefined
  }
  return {
    removeLeft: () => removeLeft([parent]),
    create: (id, { memoryMb, processes }) =>
      createGroup(
        [path.join(parent, `toolcrib-${id}`)],
        [
          ['memory.max', bytes(memoryMb)],
          ['memory.swap.max', memoryMb > 0 ? '0' : ''],
          ['pids.max', boundOf(processes)],
        ],
      ),
  }
}

async function findVersion1(): Promise<ControlGroups | undefined> {
  const places = ['memory', 'pids'].map((name) => {
    const own = ownGroup(name)
    return own === undefined ? undefined : path.join(root, name, own)
  })
  const [memory, pids] = places
  if (memory === undefined || pids === undefined) return undefined
  for (const place of [memory, pids]) {
    if (
      !(await access(place, constants.W_OK).then(
        () => true,
        () => false,
      ))
    )
      return undefined
  }
  return {
    removeLeft: () => removeLeft([memory, pids]),
    create: (id, { memoryMb, processes }) =>
      createGroup(
        [memory, pids].map((place) => path.join(place, `toolcrib-${id}`)),
        [
          ['memory.limit_in_bytes', bytes(memoryMb)],
          ['memory.memsw.limit_in_bytes', bytes(memoryMb)],
          ['pids.max', boundOf(processes)],
        ],
      ),
  }
}

/** bwrap's own processes count, too. */
function boundOf(processes: number): string {
  return processes > 0 ? String(processes + 4) : ''
}

function bytes(megabytes: number): string {
  return megabytes > 0 ? String(megabytes * 1024 * 1024) : ''
}

/** The path of this process in one tree of groups; the empty name is version 2. */
function ownGroup(name: string): string | undefined {
  if (!existsSync(path.join(root, name))) return undefined
  const lines = readText('/proc/self/cgroup').split('\n')
  const found = lines.find((line) => line.split(':')[1]?.split(',').includes(name) === true)
  return found?.split(':').slice(2).join(':')
}

/** Never creates the file: a folder without this setting is not a control group. */
async function set(file: string, value: string): Promise<void> {
  await writeFile(file, value, { flag: 'r+' })
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Each file exists in one of the folders only, or, without swap accounting, in none. */
async function createGroup(
  folders: readonly string[],
  settings: readonly (readonly [file: string, value: string])[],
): Promise<ControlGroup> {
  for (const folder of folders) await mkdir(folder)
  for (const [file, value] of settings) {
    const place = folders.map((folder) => path.join(folder, file)).find(existsSync)
    if (place !== undefined && value !== '') await set(place, value)
  }
  return {
    async add(pid) {
      await Promise.all(folders.map((folder) => set(path.join(folder, 'cgroup.procs'), `${pid}`)))
    },
    async remove() {
      await Promise.all(folders.map(removeGroup))
    },
  }
}

async function removeLeft(parents: readonly string[]): Promise<void> {
  for (const parent of parents) {
    for (const name of await readdir(parent).catch(() => [])) {
      const pid = /^toolcrib-(\d+)-/.exec(name)?.[1]
      // Only empty ones can be removed.
      if (pid !== undefined && !existsSync(`/proc/${pid}`)) {
        await rmdir(path.join(parent, name)).catch(() => undefined)
      }
    }
  }
}

/** The kernel keeps a group busy for a moment after its last process. */
async function removeGroup(folder: string): Promise<void> {
  for (let attempt = 1; attempt <= 20; attempt++) {
    const code = await rmdir(folder).then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error.code,
    )
    if (code !== 'EBUSY') return
    await new Promise((resolve) => setTimeout(resolve, 10 * attempt))
  }
}
