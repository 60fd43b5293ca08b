import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Readable } from 'node:stream'
import { ToolError } from '../core/kernel/errors.ts'
import type {
  Processes,
  ProcessRequest,
  ProcessResult,
  ProcessStatus,
  RelayHandler,
  RunRequest,
} from '../core/kernel/context/processes.ts'

/**
 * Programs in a folder, without any sandbox, for tests of tools: real processes of this machine.
 */
export function startsProcesses(folder: string, signal?: AbortSignal): Processes {
  const background: Background[] = []
  const find = (pid: number) => {
    const found = background[pid - 1]
    if (found === undefined) throw new ToolError('not_found', `There is no process ${pid}`)
    return found
  }
  return {
    run: (request) => runToEnd(folder, request, signal),
    start: async (request) => {
      const started = startInBackground(folder, request, background.length + 1)
      background.push(started)
      return started.status()
    },
    list: async () => background.map(({ status }) => status()),
    status: async (pid) => find(pid).status(),
    output: async (pid, { stream, offset = 0, maxBytes }) => {
      const { written, status } = find(pid)
      const all = Buffer.concat(written[stream])
      const page = all.subarray(offset, offset + maxBytes)
      const next = offset + page.length
      const isEnd = status().state !== 'running' && next >= all.length
      return { text: page.toString(), next, dropped: 0, isEnd }
    },
    write: async (pid, text) => void find(pid).child.stdin?.write(text),
    kill: async (pid, name = 'SIGTERM') => {
      const { child, status, ended } = find(pid)
      if (status().state === 'running') {
        process.kill(-(child.pid ?? 0), name)
        await ended
      }
      return status()
    },
  }
}

function launch(folder: string, { command, cwd = '.', env = {} }: ProcessRequest): ChildProcess {
  const [program, ...args] = typeof command === 'string' ? ['bash', '-c', command] : command
  return spawn(program ?? '', args, {
    cwd: path.join(folder, cwd),
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: folder, ...env },
    // A group of its own, so that what it starts ends with it.
    detached: true,
  })
}

async function runToEnd(
  folder: string,
  request: RunRequest,
  signal: AbortSignal | undefined,
): Promise<ProcessResult> {
  const { relays = {}, timeoutMs = 600_000 } = request
  await using relay = await openRelays(relays)
  const startedAt = performance.now()
  const child = launch(folder, { ...request, env: { ...relay.env, ...request.env } })
  const outputs = collect(child, request)
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(request.stdin ?? '')
  let timedOut = false
  const end = () => process.kill(-(child.pid ?? 0), 'SIGKILL')
  const timer = setTimeout(() => {
    timedOut = true
    end()
  }, timeoutMs)
  signal?.addEventListener('abort', end, { once: true })
  try {
    const [exitCode, killedBy] = await closed(child)
    signal?.throwIfAborted()
    const durationMs = performance.now() - startedAt
    const ended = { exitCode: exitCode ?? undefined, signal: killedBy ?? undefined }
    return { ...ended, timedOut, durationMs, ...outputs() }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

function collect(
  child: ChildProcess,
  { maxOutputBytes = 1_048_576, onOutput }: RunRequest,
): () => Pick<ProcessResult, 'stdout' | 'stderr' | 'dropped'> {
  const kept = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  const sizes = { stdout: 0, stderr: 0 }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.on('data', (bytes: Buffer) => {
      onOutput?.({ stream, bytes })
      kept[stream].push(bytes.subarray(0, Math.max(0, maxOutputBytes - sizes[stream])))
      sizes[stream] += bytes.length
    })
  }
  return () => {
    const stdout = Buffer.concat(kept.stdout)
    const stderr = Buffer.concat(kept.stderr)
    const dropped = {
      stdout: sizes.stdout - stdout.length,
      stderr: sizes.stderr - stderr.length,
    }
    return { stdout, stderr, dropped }
  }
}

function closed(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (...how) => resolve(how))
  })
}

interface Background {
  child: ChildProcess
  written: { stdout: Buffer[]; stderr: Buffer[] }
  ended: Promise<unknown>
  status: () => ProcessStatus
}

function startInBackground(folder: string, request: ProcessRequest, pid: number): Background {
  const child = launch(folder, request)
  const written = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  child.stdout?.on('data', (bytes: Buffer) => written.stdout.push(bytes))
  child.stderr?.on('data', (bytes: Buffer) => written.stderr.push(bytes))
  const { command, cwd = '' } = request
  const startedAt = new Date().toISOString()
  let endedAt: string | undefined
  const ended = closed(child).then(() => (endedAt = new Date().toISOString()))
  const size = (pieces: Buffer[]) => pieces.reduce((sum, { length }) => sum + length, 0)
  return {
    child,
    written,
    ended,
    status: () => ({
      pid,
      command: typeof command === 'string' ? command : command.join(' '),
      cwd,
      state: endedAt === undefined ? 'running' : child.signalCode ? 'killed' : 'exited',
      exitCode: child.exitCode ?? undefined,
      signal: child.signalCode ?? undefined,
      startedAt,
      endedAt,
      stdoutBytes: size(written.stdout),
      stderrBytes: size(written.stderr),
    }),
  }
}

/** A proxy that answers for `http://<name>.internal`, and for nothing else. */
async function openRelays(
  relays: Readonly<Record<string, RelayHandler>>,
): Promise<AsyncDisposable & { env: Record<string, string> }> {
  if (Object.keys(relays).length === 0) {
    return { env: {}, [Symbol.asyncDispose]: async () => undefined }
  }
  const abort = new AbortController()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '')
    const relay = relays[url.hostname.replace(/\.internal$/, '')]
    void (async () => {
      if (relay === undefined) return void response.writeHead(403).end()
      const hasBody = request.method === 'POST'
      const body = hasBody ? (Readable.toWeb(request) as ReadableStream) : null
      const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      )
      const method = request.method ?? 'GET'
      const init: RequestInit = { method, headers, body, ...(hasBody && { duplex: 'half' }) }
      const answer = await relay(new Request(url, init), abort.signal)
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      if (answer.body) for await (const piece of answer.body) response.write(piece)
      response.end()
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    env: { http_proxy: `http://127.0.0.1:${port}` },
    async [Symbol.asyncDispose]() {
      abort.abort()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
