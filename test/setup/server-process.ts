import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { misfitMark } from './misfit-mark.ts'

/** A real server in a process of its own, as `toolcrib start` runs it. */
export interface ServerProcess {
  url: string
  signIn: string
  /** What it warned of when it was ready. */
  warnings: readonly string[]
  key: string
  pid: number
  request(route: string, init?: RequestInit & { json?: unknown }): Promise<Response>
  /** Its exit code, once it has one. */
  exited: Promise<number | null>
  /** What it has printed to stderr so far. */
  errors(): string
  /** SIGKILL: the crash. */
  kill(): Promise<void>
  /** SIGTERM: drains; gives the exit code. */
  stop(): Promise<number | null>
}

const command = path.join(import.meta.dirname, '../../bin/toolcrib')
const watch = pathToFileURL(path.join(import.meta.dirname, 'watch-server-events.ts')).href

export interface ServerProcessOptions {
  cwd: string
  data: string
  args?: readonly string[]
  env?: Record<string, string>
  /** `start` unless said. */
  command?: 'start' | 'dev'
  /** Another program than the checkout's, and what stands before its arguments. */
  program?: readonly [string, ...string[]]
  /** The user that it runs as, if the tests are root. */
  user?: number | undefined
}

/** Starts one and waits until it answers. Rejects with what it printed when it does not. */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const verb = options.command ?? 'start'
  const port = options.args?.includes('--port') === true ? [] : ['--port', '0']
  const args = [verb, '--json', ...port, '--data', options.data, ...(options.args ?? [])]
  const [program, ...before] = options.program ?? [command]
  const child = spawn(program, [...before, ...args], {
    cwd: options.cwd,
    // The channel tells it when we are killed: it would run on for nobody, and slow down what comes next.
    env: {
      ...process.env,
      TOOLCRIB_PARENT: String(process.pid),
      ...watched(options),
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    ...(options.user !== undefined && { uid: options.user, gid: options.user }),
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  let errors = ''
  child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const { url, signIn, warnings } = await readReady(child, () => errors)
  const { key, pid } = JSON.parse(
    await readFile(path.join(options.data, 'server.json'), 'utf8'),
  ) as {
    key: string
    pid: number
  }
  return {
    url,
    signIn,
    warnings,
    key,
    pid,
    exited,
    request: (route, { json, ...init } = {}) =>
      fetch(url + route, {
        ...init,
        ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          ...init.headers,
        },
      }),
    errors: () => errors,
    async kill() {
      // The command may have handed over to another Node: the server's own pid counts.
      process.kill(pid, 'SIGKILL')
      child.kill('SIGKILL')
      await exited
      assertDescribed(errors)
    },
    async stop() {
      child.kill('SIGTERM')
      const code = await exited
      assertDescribed(errors)
      return code
    },
  }
}

/** Checks the events that the checkout's own server writes; others may describe theirs differently. */
function watched({ program }: ServerProcessOptions): Record<string, string> {
  if (program !== undefined) return {}
  return { NODE_OPTIONS: `--import=${watch} --disable-warning=ExperimentalWarning` }
}

function assertDescribed(printed: string): void {
  const found = printed.split('\n').filter((line) => line.startsWith(misfitMark))
  if (found.length > 0) throw new Error([...new Set(found)].join('\n'))
}

type Ready = Pick<ServerProcess, 'url' | 'signIn' | 'warnings'>

async function readReady(child: ChildProcess, errors: () => string): Promise<Ready> {
  if (child.stdout !== null) {
    for await (const line of createInterface({ input: child.stdout })) {
      return JSON.parse(line) as Ready
    }
  }
  throw new Error(`The server ended before it was ready: ${errors()}`)
}
