import { chmod, chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type {
  ProcessOwner,
  ProcessPlace,
  Sandbox,
  SandboxLimits,
} from '../../../core/host/sandbox.ts'
import type { Processes, RunRequest } from '../../../core/kernel/context/processes.ts'
import { createSandbox, type SandboxOptions } from '../create-sandbox.ts'
import { findBwrap } from '../bwrap/find-bwrap.ts'
import { openDriver } from '../open-driver.ts'

/** True where bubblewrap is installed. Suites print one line about the tests they skip. */
export async function hasBwrap(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  return 'program' in (await findBwrap(process.env['PATH']))
}

export const testLimits: SandboxLimits = {
  processes: 128,
  addressSpaceMb: 4096,
  memoryMb: 512,
  fileMb: 128,
  openFiles: 512,
  cpuSeconds: 60,
  tmpMb: 64,
}

/** A sandbox with a workspace in a temporary folder. */
export interface SandboxScene {
  sandbox: Sandbox
  folder: string
  place: ProcessPlace
  processes: Processes
  /** Processes of a session, with something of its own. */
  processesWith(more: Partial<ProcessOwner>): Processes
  /** Runs a command; its output as text. */
  run(command: RunRequest['command'], more?: Partial<RunRequest>): Promise<ShownResult>
  close(): Promise<void>
}

export interface ShownResult {
  exitCode: number | undefined
  signal: string | undefined
  stdout: string
  stderr: string
  timedOut: boolean
}

/** The user of a workspace, if the tests run as root. */
const owner = process.getuid?.() === 0 ? { uid: 65_101, gid: 65_101 } : undefined

const testBackground: SandboxOptions['background'] = {
  perWorkspace: 10,
  perNode: 100,
  bufferBytes: 65_536,
  cpuSeconds: 60,
  keptBytes: 1_000_000,
}

export async function openScene(options: Partial<SandboxOptions> = {}): Promise<SandboxScene> {
  const data = await mkdtemp(path.join(tmpdir(), 'toolcrib-scene-'))
  await chmod(data, 0o711)
  const folder = await mkdtemp(path.join(data, 'workspace-'))
  if (owner !== undefined) await chown(folder, owner.uid, owner.gid)
  const sandbox = createSandbox({
    driver: () =>
      openDriver({
        driver: 'bwrap',
        readOnly: [],
        env: process.env,
        node: 'test',
        isAlone: async () => true,
      }),
    data,
    limits: testLimits,
    commands: 8,
    background: testBackground,
    ...options,
  })
  const place = { id: path.basename(folder), tenant: 'default', folder, owner } as ProcessPlace
  const processesWith: SandboxScene['processesWith'] = (more) =>
    sandbox.processesFor({
      caller: {
        tenant: 'default',
        principal: { kind: 'user', id: 'owner' },
        permissions: ['*'],
        runtime: 'api',
      },
      folder: async () => place,
      assertKept: async () => undefined,
      measure: async () => undefined,
      ...more,
    })
  const processes = processesWith({})
  return {
    sandbox,
    folder,
    place,
    processes,
    processesWith,
    async run(command, more) {
      const { stdout, stderr, exitCode, signal, timedOut } = await processes.run({
        command,
        ...more,
      })
      const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
      return { exitCode, signal, stdout: text(stdout), stderr: text(stderr), timedOut }
    },
    async close() {
      await sandbox.close()
      await rm(data, { recursive: true, force: true })
    },
  }
}

/** How many processes of this machine have a text in their command line. */
export async function countProcesses(mark: string): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  )
  return lines.filter((line) => line.includes(mark)).length
}
