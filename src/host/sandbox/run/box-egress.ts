import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ProcessOwner } from '../../../core/host/sandbox.ts'
import type { WorkspaceFolder } from '../../../core/host/workspace-folder.ts'
import type { RunRequest } from '../../../core/kernel/context/processes.ts'
import { ToolError } from '../../../core/kernel/errors.ts'

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
}

/** Opens the door that the rules and the relays of a command need; none if they need none. */
export async function openBoxEgress({ owner, place, relays }: EgressOptions): Promise<BoxEgress> {
  const hasRelays = Object.keys(relays ?? {}).length > 0
  if (owner.openEgress === undefined) {
    if (hasRelays) throw new ToolError('sandbox_unavailable', 'Relays need a network door')
    return nothing
  }
  // Short: the path of a socket has about a hundred bytes at most.
  const folder = await mkdtemp(path.join(tmpdir(), 'tc-'))
  const clear = () => rm(folder, { recursive: true, force: true })
  try {
    await chmod(folder, 0o711)
    const door = await owner.openEgress({
      folder,
      owner: place.owner,
      ...(hasRelays && { relays }),
    })
    if (door === undefined) {
      await clear()
      return nothing
    }
    return {
      socket: door.socket,
      async close() {
        try {
          await door.close()
        } finally {
          await clear()
        }
      },
    }
  } catch (error) {
    await clear()
    throw error
  }
}

const nothing: BoxEgress = { socket: undefined, close: async () => undefined }

/** The variables by which programs find the proxy. */
export const proxyEnv: Readonly<Record<string, string>> = Object.fromEntries(
  ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'all_proxy'].map(
    (name) => [name, 'http://127.0.0.1:3128'],
  ),
)
