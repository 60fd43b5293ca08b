import type { Experimental_SandboxSession } from 'ai'
import { constants } from 'node:os'
import type { Sandbox, WorkspaceProcesses } from '../../core/host/sandbox.ts'
import type { Caller } from '../../core/kernel/call.ts'
import type { CribApi } from '../../features/crib-api.ts'
import type { OpenWorkspaces } from '../../features/workspaces/open-workspaces.ts'
import type { CalledTool, SessionCalls } from './session-calls.ts'

type Run = Experimental_SandboxSession['run']
type Spawn = Experimental_SandboxSession['spawn']
type SpawnOptions = Parameters<Run>[0] & { stdin?: boolean }

export interface SessionProcessParts {
  api: Pick<CribApi, 'readArtifact'>
  caller: Caller
  calls: SessionCalls
  workspaces: Pick<OpenWorkspaces, 'open'>
  sandbox: Pick<Sandbox, 'processesIn'>
}

/** The longest that `shell.exec` lets a command run. */
const longestSeconds = 600
/** The exit code of coreutils' `timeout`. */
const timedOutCode = 124
const separator = '\n--- stderr ---\n'

/** Programs in a session's sandbox, by calls of `shell.exec` and of the process tools. */
export function sessionProcesses(parts: SessionProcessParts): { run: Run; spawn: Spawn } {
  const { calls } = parts
  return {
    async run(options) {
      const input = { ...toCommand(options), timeout: longestSeconds }
      const called = await calls.call('shell.exec', input, options.abortSignal)
      const { exitCode, signal, timedOut } = called.output as unknown as Ended
      const { stdout, stderr } = await wholeOutput(called, parts)
      if (timedOut === true) {
        const note = `The command was ended after ${longestSeconds} seconds.\n`
        return { exitCode: timedOutCode, stdout, stderr: stderr + note }
      }
      return { exitCode: toExitCode({ exitCode, signal }), stdout, stderr }
    },
    // The overloads differ in `stdin` alone, which is there whenever it was asked for.
    spawn: (async (options: SpawnOptions) => spawn(options, parts)) as Spawn,
  }
}

interface Ended {
  exitCode?: number | null | undefined
  signal?: string | null | undefined
  timedOut?: boolean
}

function toExitCode({ exitCode, signal }: Ended): number {
  if (typeof exitCode === 'number') return exitCode
  return 128 + (constants.signals[(signal ?? 'SIGKILL') as NodeJS.Signals] ?? 0)
}

/** The tools have no field for variables: they are part of the command, also in the record. */
function toCommand({ command, workingDirectory, env = {} }: SpawnOptions) {
  const exports = Object.entries(env).map(
    ([name, value]) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'\n`,
  )
  return { command: exports.join('') + command, cwd: workingDirectory ?? null }
}

/** Of long output the tool returns the ends, and the whole as an artifact. */
async function wholeOutput(
  { callId, output }: CalledTool,
  { api, caller }: SessionProcessParts,
): Promise<{ stdout: string; stderr: string }> {
  const { stdout, stderr, artifact } = output as {
    stdout: string
    stderr: string
    artifact: { id: string; bytes: number } | null
  }
  if (artifact === null) return { stdout, stderr }
  const range = { id: callId, artifact: artifact.id, offset: 0, limit: artifact.bytes }
  const text = Buffer.from((await api.readArtifact(caller, range)).chunk).toString('utf8')
  if (stderr === '') return { stdout: text, stderr }
  // Where what follows begins as stderr does.
  const at = text.indexOf(separator + stderr.slice(0, 1000))
  if (at === -1) return { stdout: text, stderr }
  return { stdout: text.slice(0, at), stderr: text.slice(at + separator.length) }
}

async function spawn(options: SpawnOptions, parts: SessionProcessParts) {
  const { calls, caller, workspaces, sandbox } = parts
  const { abortSignal } = options
  const { output } = await calls.call('process.start', toCommand(options), abortSignal)
  const pid = output['pid'] as number
  const { id } = await workspaces.open(caller)
  const processes = sandbox.processesIn(id)
  const kill = async (signal: 'SIGKILL' | null = null) => {
    await calls.call('process.kill', { pid, signal })
  }
  const onAbort = () => void kill('SIGKILL').catch(() => undefined)
  abortSignal?.addEventListener('abort', onAbort, { once: true })
  let ended: Promise<Ended> | undefined
  return {
    pid,
    stdout: readStream('stdout', { pid, processes, calls }),
    stderr: readStream('stderr', { pid, processes, calls }),
    async wait() {
      ended ??= untilEnded(pid, processes)
      const end = await ended
      abortSignal?.removeEventListener('abort', onAbort)
      abortSignal?.throwIfAborted()
      return { exitCode: toExitCode(end) }
    },
    kill: () => kill(),
    ...(options.stdin === true && { stdin: writeStream({ pid, processes, calls }) }),
  }
}

interface OneProcess {
  pid: number
  processes: WorkspaceProcesses
  calls: SessionCalls
}

async function untilEnded(pid: number, processes: WorkspaceProcesses): Promise<Ended> {
  for (let waitMs = 10; ; waitMs = Math.min(waitMs * 2, 250)) {
    const status = await processes.status(pid)
    if (status.state !== 'running') return status
    await pause(waitMs)
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Reads on as long as somebody reads it. The first page is a call, so that the reading is recorded. */
function readStream(
  stream: 'stdout' | 'stderr',
  { pid, processes, calls }: OneProcess,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let offset = 0
  let isRecorded = false
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (let waitMs = 10; ; waitMs = Math.min(waitMs * 2, 250)) {
          const page = await processes.output(pid, { stream, offset, maxBytes: 65_536 })
          if (page.text !== '' && !isRecorded) {
            await calls.call('process.output', { pid, stream, offset: null, maxBytes: 256 })
            isRecorded = true
          }
          offset = page.next
          if (page.text !== '') controller.enqueue(encoder.encode(page.text))
          if (page.isEnd) return controller.close()
          if (page.text !== '') return
          await pause(waitMs)
        }
      },
    },
    { highWaterMark: 0 },
  )
}

function writeStream({ pid, processes, calls }: OneProcess): WritableStream<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const close = () => processes.closeInput(pid)
  return new WritableStream<Uint8Array>({
    async write(bytes) {
      const text = decoder.decode(bytes, { stream: true })
      for (let at = 0; at < text.length; at += 65_536)
        await calls.call('process.write', { pid, text: text.slice(at, at + 65_536) })
    },
    close,
    abort: close,
  })
}
