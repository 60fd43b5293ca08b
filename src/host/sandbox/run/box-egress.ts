import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ProcessOwner } from '../../../core/host/sandbox.ts'
import type { WorkspaceFolder } from '../../../core/host/workspace-folder.ts'
import type { RunRequest } from '../../../core/kernel/context/processes.ts'
import { openRelayDoor } from './relay-door.ts'

/** The only way of one command to a network. */
export interface BoxEgress {
  /** Undefined if the command has none. */
  readonly socket: string | undefined
  close(): Promise<void>
}

interface EgressOptions {
  owner: ProcessOwner
  place: WorkspaceFolder
  relays: RunRequest['relays']
  signal: AbortSignal
}

/** Opens what the rules and the relays of a command ask for. */
export async function openBoxEgress(options: EgressOptions): Promise<BoxEgress> {
  const { owner, place, relays = {}, signal } = options
  const hasRelays = Object.keys(relays).length > 0
  if (owner.openEgress === undefined && !hasRelays) return nothing
  // Short: the address of a socket has at most 107 bytes.
  const folder = await mkdtemp(path.join(tmpdir(), 'tc-'))
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  const close = async () => {
    for (const end of closing.splice(0).toReversed()) await end().catch(() => undefined)
  }
  try {
    await chmod(folder, 0o711)
    const door = await owner.openEgress?.(folder)
    if (door !== undefined) closing.push(() => door.close())
    if (!hasRelays) {
      if (door === undefined) await close()
      return { socket: door?.socket, close }
    }
    const socket = path.join(folder, 'relay.sock')
    const relay = await openRelayDoor({
      socket,
      owner: place.owner,
      relays,
      egressSocket: door?.socket,
      signal,
    })
    closing.push(() => relay.close())
    return { socket, close }
  } catch (error) {
    await close()
    throw error
  }
}

const nothing: BoxEgress = { socket: undefined, close: async () => undefined }

/** How programs find the proxy. */
export const proxyEnv: Readonly<Record<string, string>> = Object.fromEntries(
  ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'all_proxy'].map(
    (name) => [name, 'http://127.0.0.1:3128'],
  ),
)
