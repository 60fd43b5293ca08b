import type {
  ProcessOutput,
  ProcessRequest,
  ProcessStatus,
} from '../../../core/kernel/context/processes.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { BoxProcess, BoxSignal } from '../driver.ts'
import { slowDown } from './bounded-output.ts'
import type { EndedProcesses } from './ended-processes.ts'
import { createRingBuffer, type RingBuffer } from './ring-buffer.ts'
import { graceMs } from './run-command.ts'
import { commandLine } from './to-command.ts'

/** The background processes of one workspace. */
export interface BackgroundProcesses {
  readonly tenant: string
  readonly running: number
  /**
   * Takes a place before the process exists, so that two requests can't both take the last one. `tell`
   * appends a text to its stderr.
   */
  add(
    request: ProcessRequest,
    start: (tell: (text: string) => void) => Promise<BoxProcess>,
  ): Promise<ProcessStatus>
  list(): ProcessStatus[]
  status(pid: number): ProcessStatus
  output(pid: number, options: OutputOptions): ProcessOutput
  write(pid: number, text: string): Promise<void>
  closeInput(pid: number): void
  kill(pid: number, signal?: BoxSignal): Promise<ProcessStatus>
  /** Resolves when all have ended. Their output can still be read. */
  endAll(): Promise<void>
  /** Forgets those that have ended. */
  clear(): void
}

export interface OutputOptions {
  stream: 'stdout' | 'stderr'
  offset?: number
  maxBytes: number
}

interface Options {
  tenant: string
  /** Bounds the memory of all workspaces together. */
  kept: EndedProcesses
  /** Kept of each stream. */
  bufferBytes: number
  maxRunning: number
  onStarted(status: ProcessStatus): void
  onEnded(status: ProcessStatus): void
}

interface Entry {
  status: Omit<ProcessStatus, 'stdoutBytes' | 'stderrBytes'>
  stdout: RingBuffer
  stderr: RingBuffer
  process: BoxProcess | undefined
  /** Somebody asked for its end. */
  isKilled: boolean
  ended: Promise<void>
}

/** Ended ones that can still be read. */
const keptEnded = 50
const mostOutputBytes = 1024 * 1024

export function createBackgroundProcesses(options: Options): BackgroundProcesses {
  const entries = new Map<number, Entry>()
  let lastPid = 0
  const runningOnes = () => [...entries.values()].filter(isRunning)
  const endedOnes = () => [...entries.values()].filter((entry) => !isRunning(entry))

  const add: BackgroundProcesses['add'] = async (request, start) => {
    if (runningOnes().length >= options.maxRunning) {
      throw new ToolError('rate_limited', `${options.maxRunning} processes run already`, {
        fix: 'Kill one of them first.',
      })
    }
    lastPid += 1
    const entry = createEntry(lastPid, request, options.bufferBytes)
    entries.set(lastPid, entry)
    try {
      const process = await start((text) => entry.stderr.write(Buffer.from(text)))
      entry.process = process
      // The session may have ended in the meantime.
      if (entry.isKilled) process.kill('SIGKILL')
      options.onStarted(toStatus(entry))
      entry.ended = settle(entry, process)
    } catch (error) {
      entries.delete(entry.status.pid)
      throw error
    }
    return toStatus(entry)
  }

  async function settle(entry: Entry, process: BoxProcess): Promise<void> {
    await follow(entry, process)
    const bytes = entry.stdout.held + entry.stderr.held
    options.kept.add(entry, { bytes, forget: () => entries.delete(entry.status.pid) })
    const ended = endedOnes()
    for (const old of ended.slice(0, Math.max(0, ended.length - keptEnded))) forget(old)
    options.onEnded(toStatus(entry))
  }

  function forget(entry: Entry): void {
    entries.delete(entry.status.pid)
    options.kept.remove(entry)
  }

  return {
    tenant: options.tenant,
    get running() {
      return runningOnes().length
    },
    add,
    list: () => [...entries.values()].map(toStatus),
    status: (pid) => toStatus(findEntry(entries, pid)),
    output: (pid, wanted) => readOutput(findEntry(entries, pid), wanted),
    write: (pid, text) => writeTo(findEntry(entries, pid), text),
    closeInput: (pid) => void findEntry(entries, pid).process?.stdin.end(),
    async kill(pid, signal) {
      const entry = findEntry(entries, pid)
      if (isRunning(entry)) await end(entry, signal)
      return toStatus(entry)
    },
    async endAll() {
      await Promise.all(runningOnes().map(endNow))
    },
    clear: () => endedOnes().forEach(forget),
  }
}

async function endNow(entry: Entry): Promise<void> {
  entry.isKilled = true
  entry.process?.kill('SIGKILL')
  await entry.ended
}

function findEntry(entries: ReadonlyMap<number, Entry>, pid: number): Entry {
  const entry = entries.get(pid)
  if (entry !== undefined) return entry
  throw new ToolError('not_found', `There is no process ${pid}`, {
    fix: 'process.status without a pid lists the processes of this session with their numbers.',
  })
}

/** Resolves when the process has taken it, or its pipe has. */
async function writeTo({ process, status }: Entry, text: string): Promise<void> {
  const gone = () => new ToolError('conflict', `Process ${status.pid} reads no more input`)
  if (process === undefined || !process.stdin.writable) throw gone()
  await new Promise<void>((resolve, reject) => {
    process.stdin.write(text, (error) => {
      if (error) reject(gone())
      else resolve()
    })
  })
}

function createEntry(pid: number, request: ProcessRequest, bufferBytes: number): Entry {
  return {
    status: {
      pid,
      command: commandLine(request).slice(0, 2000),
      cwd: request.cwd ?? '',
      state: 'running',
      exitCode: undefined,
      signal: undefined,
      startedAt: new Date().toISOString(),
      endedAt: undefined,
    },
    stdout: createRingBuffer(bufferBytes),
    stderr: createRingBuffer(bufferBytes),
    process: undefined,
    isKilled: false,
    ended: Promise.resolve(),
  }
}

function isRunning({ status }: Entry): boolean {
  return status.state === 'running'
}

function toStatus({ status, stdout, stderr }: Entry): ProcessStatus {
  return { ...status, stdoutBytes: stdout.total, stderrBytes: stderr.total }
}

async function follow(entry: Entry, process: BoxProcess): Promise<void> {
  const isRead = Promise.all([
    keep(entry.stdout, process.stdout),
    keep(entry.stderr, process.stderr),
  ])
  process.stdin.on('error', () => undefined)
  const end = await process.ended.catch(() => ({ exitCode: undefined, signal: 'SIGKILL' }))
  await isRead
  const { status } = entry
  status.exitCode = end.exitCode
  status.signal = end.signal
  status.state = entry.isKilled || end.signal !== undefined ? 'killed' : 'exited'
  status.endedAt = new Date().toISOString()
  entry.process = undefined
}

/** Nobody reads all of it, so it may come slowly once it is more than the buffer holds. */
function keep(buffer: RingBuffer, stream: BoxProcess['stdout']): Promise<void> {
  return new Promise((resolve) => {
    stream.on('data', (bytes: Buffer) => {
      buffer.write(bytes)
      if (buffer.total > 64 * 1024 * 1024) slowDown(stream)
    })
    stream.on('error', () => undefined)
    stream.once('close', resolve)
  })
}

/** The named signal only, or first a polite one. */
async function end(entry: Entry, signal?: BoxSignal): Promise<void> {
  entry.isKilled ||= signal === undefined || signal === 'SIGKILL' || signal === 'SIGTERM'
  entry.process?.kill(signal ?? 'SIGTERM')
  if (signal !== undefined && signal !== 'SIGKILL') return
  const hard = setTimeout(() => entry.process?.kill('SIGKILL'), graceMs)
  await entry.ended
  clearTimeout(hard)
}

function readOutput(entry: Entry, { stream, offset = 0, maxBytes }: OutputOptions): ProcessOutput {
  const buffer = entry[stream]
  const { bytes, from } = buffer.read(offset, Math.min(maxBytes, mostOutputBytes))
  const isLast = from + bytes.length >= buffer.total
  const whole = isLast && !isRunning(entry) ? bytes.length : wholeCharacters(bytes)
  return {
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, whole)),
    next: from + whole,
    dropped: from - Math.min(offset, from),
    isEnd: !isRunning(entry) && from + whole >= buffer.total,
  }
}

/** A character that is only half there is left for the next piece. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) break
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return needed > back && bytes.length > back ? bytes.length - back : bytes.length
    }
  }
  return bytes.length
}
