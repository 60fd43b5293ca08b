import { createHash } from 'node:crypto'
import { Duplex, PassThrough, type Writable } from 'node:stream'
import type { Workspace } from '../../../core/kernel/context/workspace.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { Box, BoxCommand, BoxEnd, BoxProcess, SandboxDriver } from '../driver.ts'
import { loadPackage } from './load-package.ts'

/** The part of the `e2b` package that is used. */
export interface E2bPackage {
  Sandbox: {
    create(template: string, options: Record<string, unknown>): Promise<E2bSandbox>
  }
}

interface E2bSandbox {
  commands: {
    run(
      line: string,
      options: Record<string, unknown> & { background: true },
    ): Promise<{ pid: number; wait(): Promise<{ exitCode: number }>; kill(): Promise<boolean> }>
    sendStdin(pid: number, data: string | Uint8Array): Promise<void>
    closeStdin(pid: number): Promise<void>
  }
  files: {
    write(files: readonly { path: string; data: ArrayBuffer }[]): Promise<unknown>
    read(path: string, options: { format: 'bytes' }): Promise<Uint8Array>
    list(path: string, options: { depth: number }): Promise<E2bEntry[]>
    makeDir(path: string): Promise<unknown>
  }
  kill(): Promise<unknown>
}

interface E2bEntry {
  path: string
  type?: string
  size: number
}

export interface E2bOptions {
  template: string | undefined
  apiKey: string | undefined
  /** The package, for tests. */
  load?: () => Promise<E2bPackage>
}

const workspaceFolder = '/home/user/workspace'
const mostFiles = 5000
const mostBytes = 64 * 1024 * 1024
const lifeMs = 3_600_000

/**
 * Sandboxes of E2B, on machines of theirs. They do not share files with this one: before a command
 * the workspace is uploaded, and afterwards what has changed is downloaded. One for each command.
 */
export function createE2bDriver({
  template = 'base',
  apiKey,
  load = loadE2b,
}: E2bOptions): SandboxDriver {
  async function create(): Promise<E2bSandbox> {
    if (apiKey === undefined) {
      throw new ToolError('sandbox_unavailable', 'E2B needs a key', {
        fix: 'Set E2B_API_KEY in the environment of the server.',
      })
    }
    const { Sandbox } = await load()
    const options = { apiKey, timeoutMs: lifeMs, allowInternetAccess: false }
    return Sandbox.create(template, options)
  }
  return {
    name: 'e2b',
    network: 'none',
    fingerprint: async () => undefined,
    async verify() {
      const sandbox = await create()
      await sandbox.kill()
      const check = { name: 'reachable', title: 'A sandbox of E2B starts', isOk: true }
      return { isSafe: true, limits: 'enforced', checks: [check] }
    },
    async open(box) {
      const files = box.place.files
      if (files === undefined || box.egressSocket !== undefined) {
        throw new ToolError('sandbox_unavailable', 'Remote sandboxes have no way to our proxy', {
          fix: 'Remove the rules that allow hosts to these tools, or use the bwrap driver.',
        })
      }
      const opened: Box = {
        spawn: (command) =>
          spawnRemote(create, { command, files, isReadOnly: box.place.isReadOnly === true }),
      }
      return opened
    },
    close: async () => undefined,
  }
}

async function loadE2b(): Promise<E2bPackage> {
  return (await loadPackage('e2b', 'e2b')) as E2bPackage
}

interface RemoteRun {
  command: BoxCommand
  files: Workspace
  isReadOnly: boolean
}

async function spawnRemote(
  create: () => Promise<E2bSandbox>,
  { command, files, isReadOnly }: RemoteRun,
): Promise<BoxProcess> {
  const sandbox = await create()
  try {
    const sent = await upload(sandbox, files)
    const stdout = new PassThrough()
    const stderr = new PassThrough()
    const handle = await sandbox.commands.run(toLine(command), {
      background: true,
      stdin: true,
      timeoutMs: 0,
      cwd: command.cwd === '' ? workspaceFolder : `${workspaceFolder}/${command.cwd}`,
      envs: { ...command.env },
      onStdout: (text: string) => void stdout.write(text),
      onStderr: (text: string) => void stderr.write(text),
    })
    const state = { isKilled: false }
    const finish = async (): Promise<BoxEnd> => {
      try {
        const end = await endOf(handle, state)
        if (!state.isKilled && !isReadOnly) await download(sandbox, files, sent)
        return end
      } finally {
        stdout.end()
        stderr.end()
        await sandbox.kill().catch(() => undefined)
      }
    }
    const ended = finish()
    ended.catch(() => undefined)
    return {
      stdin: stdinOf(sandbox, handle.pid),
      stdout,
      stderr,
      ended,
      // The service has no polite signal. Killing the sandbox ends everything in it.
      kill() {
        state.isKilled = true
        handle.kill().catch(() => sandbox.kill().catch(() => undefined))
      },
    }
  } catch (error) {
    await sandbox.kill().catch(() => undefined)
    throw error
  }
}

/** Commands that fail are exceptions there. */
async function endOf(
  handle: { wait(): Promise<{ exitCode: number }> },
  state: { isKilled: boolean },
): Promise<BoxEnd> {
  try {
    const { exitCode } = await handle.wait()
    return { exitCode, signal: undefined }
  } catch (error) {
    if (state.isKilled) return { exitCode: undefined, signal: 'SIGKILL' }
    const exitCode = (error as { exitCode?: unknown }).exitCode
    if (typeof exitCode === 'number') return { exitCode, signal: undefined }
    throw new ToolError('upstream_failed', 'E2B did not finish the command', { cause: error })
  }
}

function stdinOf(sandbox: E2bSandbox, pid: number): Writable {
  const { commands } = sandbox
  return Duplex.from(async (pieces: AsyncIterable<Uint8Array>) => {
    for await (const piece of pieces) await commands.sendStdin(pid, piece)
    await commands.closeStdin(pid)
  })
}

const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

function toLine({ program, args }: BoxCommand): string {
  return [program, ...args].map(quote).join(' ')
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The digests of what was sent, by path. */
type SentFiles = Map<string, string>

async function upload(sandbox: E2bSandbox, files: Workspace): Promise<SentFiles> {
  const { entries, isPartial } = await files.list('', { recursive: true, limit: mostFiles })
  if (isPartial) throw tooMany()
  const sent: SentFiles = new Map()
  let total = 0
  await sandbox.files.makeDir(workspaceFolder)
  for (const { path, kind, bytes: size } of entries) {
    if (kind === 'folder') await sandbox.files.makeDir(`${workspaceFolder}/${path}`)
    if (kind !== 'file') continue
    total += size
    if (total > mostBytes) throw tooMany()
    const { bytes } = await files.read(path, { maxBytes: size })
    sent.set(path, digestOf(bytes))
    const data = new Uint8Array(bytes).buffer
    await sandbox.files.write([{ path: `${workspaceFolder}/${path}`, data }])
  }
  return sent
}

/** Written through the workspace: a path of theirs leads nowhere else. */
async function download(sandbox: E2bSandbox, files: Workspace, sent: SentFiles): Promise<void> {
  const entries = await sandbox.files.list(workspaceFolder, { depth: 32 })
  const there = entries.filter(({ type }) => type === 'file')
  const total = there.reduce((sum, { size }) => sum + size, 0)
  if (there.length > mostFiles || total > mostBytes) throw tooMany()
  const prefix = `${workspaceFolder}/`
  const kept = new Set<string>()
  for (const { path } of there) {
    const name = path.startsWith(prefix) ? path.slice(prefix.length) : path
    kept.add(name)
    const bytes = new Uint8Array(await sandbox.files.read(path, { format: 'bytes' }))
    if (sent.get(name) === digestOf(bytes)) continue
    await files.write(name, bytes, { overwrite: true })
  }
  for (const name of sent.keys()) if (!kept.has(name)) await files.delete(name)
}

function tooMany(): ToolError {
  return new ToolError('quota_exceeded', 'The workspace is too large for a remote sandbox', {
    fix: `At most ${mostFiles} files and ${mostBytes} bytes are copied. Remove some.`,
  })
}
