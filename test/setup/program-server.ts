import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CallResult } from '../../src/core/kernel/call.ts'
import type { ConfigInput } from '../../src/core/typing/config-input.ts'
import { variants } from './run-length.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/** What the server is on this machine: root has a user for each tenant, others have themselves. */
export type ServerUser = 'root' | 'an ordinary user'

/** Nobody else on this machine. */
const ordinary = 65_301

/** As whom a server is started in `npm test`, and in the long run where the tests are root. */
export function serverUsers(): ServerUser[] {
  return variants(['an ordinary user'], process.getuid?.() === 0 ? ['root'] : [])
}

/** A real server with the packs that run programs. */
export interface ProgramServer {
  server: ServerProcess
  /** The folder above its data. */
  folder: string
  /** Starts a call of a tool and waits for its end. */
  call(tool: string, input: object, sessionId?: string): Promise<CallResult>
  exec(command: string, options?: { sessionId?: string; timeout?: number }): Promise<Executed>
  close(): Promise<void>
}

export interface Executed {
  stdout: string
  stderr: string
  exitCode: number | null
  signal: string | null
  timedOut: boolean
}

const config: ConfigInput = {
  tools: [],
  packs: { shell: true, process: true, file: true },
}

export async function openProgramServer(
  user: ServerUser,
  more: ConfigInput = {},
): Promise<ProgramServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolcrib programs '))
  const isChanged = user !== 'root' && process.getuid?.() === 0
  // Other users reach the workspaces below it.
  await chmod(folder, 0o711)
  if (isChanged) await chown(folder, ordinary, ordinary)
  await writeFile(path.join(folder, 'toolcrib.config.json'), JSON.stringify({ ...config, ...more }))
  const server = await startServerProcess({
    cwd: folder,
    data: path.join(folder, 'data'),
    user: isChanged ? ordinary : undefined,
    // Where it may write, whoever it is.
    env: { TMPDIR: folder, HOME: folder },
  })
  const call: ProgramServer['call'] = async (tool, input, sessionId = 'programs') => {
    const json = { input, sessionId }
    const response = await server.request(`/api/v1/tools/${tool}/calls`, { json })
    return (await response.json()) as CallResult
  }
  return {
    server,
    folder,
    call,
    async exec(command, { sessionId, timeout } = {}) {
      const input = { command, cwd: null, timeout: timeout ?? 60 }
      const result = await call('shell.exec', input, sessionId)
      if (result.status !== 'completed') throw new Error(JSON.stringify(result))
      return result.output as unknown as Executed
    },
    async close() {
      await server.kill().catch(() => undefined)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
