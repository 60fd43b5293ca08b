/**
 * Starts a server and a worker, two processes that share nothing but a folder and HTTP; calls the
 * tool, waits for the worker, and checks what comes back. Ends with exit code 1 and the difference
 * when something is not as it is written here.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const here = import.meta.dirname
// In a checkout its own command, elsewhere that of the installed package.
const checkout = path.resolve(here, '../../bin/toolcrib')
const command = existsSync(checkout) ? checkout : installedCommand()
const folder = await mkdtemp(path.join(tmpdir(), 'crib-worker-'))
const room = path.join(folder, 'print-room')
const children: ChildProcess[] = []
try {
  const server = await startServer()
  const worker = startWorker()

  // It answers at once, and waits until the worker is done.
  const asked = await call(server, { text: 'Open on\nSundays' })
  assert.equal(asked.status, 'queued')
  const done = await settled(server, asked.callId)
  assert.deepEqual(
    [done.status, done.output],
    ['completed', { lines: ['Open on', 'Sundays'], width: 7 }],
  )

  // What the worker reported on its way is in the log.
  const { items } = await get(server, `/events?callId=${asked.callId}&types=call.output`)
  assert.deepEqual(
    (items as { data: unknown }[]).map(({ data }) => data),
    [{ progress: { done: 1, total: 2, message: 'Set in type' } }],
  )

  // A failure comes in the worker's words.
  const tooLong = await call(server, { text: 'x'.repeat(61) })
  const failed = await settled(server, tooLong.callId)
  assert.deepEqual(failed.error, {
    code: 'tool_failed',
    message: 'A line is too long for the poster',
    retryable: false,
  })

  // A file is the call's artifact.
  const picture = await settled(server, (await call(server, { text: 'A < B', as: 'svg' })).callId)
  assert.equal(picture.artifact?.mediaType, 'image/svg+xml')
  const artifact = await fetch(`${server.url}/api/v1/calls/${picture.callId}/artifact`, {
    headers: server.headers,
  })
  assert.match(await artifact.text(), /^<svg .*A &lt; B<\/text><\/svg>$/)

  // A worker that was away finds its jobs when it comes back: the call waits in storage meanwhile.
  await stop(worker)
  const patient = await call(server, { text: 'Later' })
  startWorker()
  assert.equal((await settled(server, patient.callId)).status, 'completed')

  console.log('Everything came out as written.')
} finally {
  await Promise.all(children.map(stop))
  await rm(folder, { recursive: true, force: true })
}

interface Server {
  url: string
  headers: Record<string, string>
}

interface Call {
  callId: string
  status: string
  output?: unknown
  error?: unknown
  artifact?: { mediaType: string }
}

function installedCommand(): string {
  const manifest = fileURLToPath(import.meta.resolve('toolcrib/package.json'))
  return path.join(path.dirname(manifest), 'bin/toolcrib')
}

async function startServer(): Promise<Server> {
  const data = path.join(folder, 'data')
  const child = spawn(
    process.execPath,
    [command, 'start', '--json', '--port', '0', '--data', data],
    {
      cwd: here,
      env: { ...process.env, PRINT_ROOM: room, TOOLCRIB_LOG: 'warn' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  children.push(child)
  const lines = createInterface({ input: child.stdout })
  const ended = once(child, 'exit').then(() => {
    throw new Error('The server did not start')
  })
  const [line] = await Promise.race([once(lines, 'line') as Promise<[string]>, ended])
  ended.catch(() => undefined)
  const { url } = JSON.parse(line) as { url: string }
  const { key } = JSON.parse(await readFile(path.join(data, 'server.json'), 'utf8')) as {
    key: string
  }
  return {
    url,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  }
}

function startWorker(): ChildProcess {
  const child = spawn(process.execPath, [path.join(here, 'worker.ts'), room], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  children.push(child)
  return child
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function call({ url, headers }: Server, input: object): Promise<Call> {
  const response = await fetch(`${url}/api/v1/tools/print.render/calls`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ input }),
  })
  assert.equal(response.status, 202)
  return (await response.json()) as Call
}

/** The call once it has ended. */
async function settled(server: Server, callId: string): Promise<Call> {
  return (await get(server, `/calls/${callId}?wait=30`)) as unknown as Call
}

async function get({ url, headers }: Server, route: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/api/v1${route}`, { headers })
  assert.equal(response.status, 200)
  return (await response.json()) as Record<string, unknown>
}
