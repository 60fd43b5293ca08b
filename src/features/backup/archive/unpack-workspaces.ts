import type { PackedWorkspaces } from '../../../core/backup/backup.ts'
import type {
  PackedEntry,
  WorkspaceDisk,
  WorkspaceUnpacking,
} from '../../../core/host/workspace-disk.ts'
import { damagedBackup } from './damaged-backup.ts'
import { ownerName, placeName, workspacesFolder } from './pack-workspaces.ts'
import type { TarEntry } from './tar-entries.ts'
import { createTreeDigest, type TreeDigest } from './tree-digest.ts'

/** Opens the folder that workspaces go to. Undefined if they are only checked. */
export type OpenDisk = (place: string) => Promise<Pick<WorkspaceDisk, 'unpack'> | undefined>

/** Puts the workspaces of an archive back while it is read. */
export interface WorkspaceSink {
  /** False if the entry is none of a workspace. */
  take(entry: TarEntry): Promise<boolean>
  /** Compares what came with the manifest. */
  end(packed: PackedWorkspaces | undefined): Promise<void>
}

type Trees = PackedWorkspaces['trees']

interface Current {
  id: string
  digest: TreeDigest
  unpacking: WorkspaceUnpacking | undefined
}

const namePattern = /^workspaces\/(?<id>ws_[0-9a-f]{32})\/(?<path>.+)$/s
const mostOwnerBytes = 4096

export function createWorkspaceSink(openDisk: OpenDisk): WorkspaceSink {
  const trees: Record<string, Trees[string]> = {}
  let place: string | undefined
  let disk: Awaited<ReturnType<OpenDisk>>
  let current: Current | undefined

  async function close(): Promise<void> {
    if (current === undefined) return
    await current.unpacking?.end()
    trees[current.id] = current.digest.end()
    current = undefined
  }

  async function begin(id: string, entry: TarEntry): Promise<void> {
    await close()
    if (Object.hasOwn(trees, id)) throw stray(entry.name)
    const { tenant, uid } = parseOwner(await readSmall(entry))
    const owner = uid === undefined ? undefined : { uid, gid: uid }
    const unpacking = await disk?.unpack(id, { tenant, owner })
    current = { id, digest: createTreeDigest(), unpacking }
  }

  async function write(path: string, { content, ...head }: TarEntry): Promise<void> {
    if (current === undefined) throw stray(head.name)
    const entry = toEntry(path, head)
    const checked = current.digest.add(entry, content)
    if (current.unpacking === undefined) await drain(checked)
    else {
      await current.unpacking.write({ ...entry, content: checked })
      // Folders and links have none, but are in the checksum.
      await drain(checked)
    }
  }

  async function takePlace(entry: TarEntry): Promise<void> {
    place = await readSmall(entry)
    if (!/^[0-9a-f]{32}$/.test(place)) throw stray(entry.name)
    disk = await openDisk(place)
  }

  async function takeOne(entry: TarEntry): Promise<void> {
    const { id, path } = namePattern.exec(entry.name)?.groups ?? {}
    if (place === undefined || id === undefined || path === undefined) throw stray(entry.name)
    if (path === ownerName) await begin(id, entry)
    else if (current?.id === id) await write(path, entry)
    else throw stray(entry.name)
  }

  return {
    async take(entry) {
      if (!entry.name.startsWith(workspacesFolder)) return false
      if (entry.name === placeName && place === undefined) await takePlace(entry)
      else await takeOne(entry)
      return true
    },

    async end(packed) {
      await close()
      if (packed?.place !== place) throw damagedBackup('The workspaces in the backup are damaged.')
      compare(trees, packed?.trees ?? {})
    },
  }
}

function compare(found: Trees, promised: Trees): void {
  for (const id of new Set([...Object.keys(found), ...Object.keys(promised)])) {
    const [one, other] = [found[id], promised[id]]
    if (one?.sha256 === other?.sha256) continue
    const state = one === undefined ? 'missing' : 'damaged'
    throw damagedBackup(`The workspace ${id} in the backup is ${state}.`)
  }
}

function toEntry(path: string, head: Omit<TarEntry, 'content'>): PackedEntry {
  const { bytes, mode = 0, modifiedMs = 0, target } = head
  const facts = { mode: mode & 0o777, modifiedMs, bytes }
  if (target !== undefined) return { ...facts, path, kind: 'link', target }
  const isFolder = path.endsWith('/')
  return { ...facts, path: isFolder ? path.slice(0, -1) : path, kind: isFolder ? 'folder' : 'file' }
}

async function drain(content: AsyncIterable<Uint8Array>): Promise<void> {
  const pieces = content[Symbol.asyncIterator]()
  while ((await pieces.next()).done !== true);
}

async function readSmall(entry: TarEntry): Promise<string> {
  if (entry.bytes > mostOwnerBytes) throw stray(entry.name)
  const parts: Uint8Array[] = []
  for await (const piece of entry.content) parts.push(Buffer.from(piece))
  return Buffer.concat(parts).toString('utf8')
}

function parseOwner(text: string): { tenant: string; uid: number | undefined } {
  try {
    const { tenant, uid } = JSON.parse(text) as { tenant: unknown; uid?: unknown }
    const isUser = uid === undefined || (Number.isSafeInteger(uid) && Number(uid) >= 1000)
    if (typeof tenant === 'string' && isUser) {
      return { tenant, uid: uid === undefined ? undefined : Number(uid) }
    }
  } catch (error) {
    throw damagedBackup('The owner of a workspace in the backup is damaged.', error)
  }
  throw damagedBackup('The owner of a workspace in the backup is damaged.')
}

function stray(name: string) {
  return damagedBackup(`The backup holds ${name}, which does not belong there.`)
}
