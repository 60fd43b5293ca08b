import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { CliEnvironment, FetchLike, ServerOptions, WithoutData } from '../environment.ts'
import { followServer, type ServerAddress } from './follow-server.ts'
import { createClient, type HttpClient } from './http-client.ts'

/** A server to talk to: a running one, or the store opened in this process for one command. */
export interface Connection {
  client: HttpClient
  kind: 'address' | 'running' | 'local'
  /** The data folder that somebody named, if this command created it. */
  created?: string
  close(): Promise<void>
}

/** A busy server answers late; a stopped one refuses at once. */
const answerMs = 5_000

/** Finds the server: by address, by the file of a running server, or by opening the store here. */
export async function connect(
  environment: CliEnvironment,
  options: ServerOptions & { url?: string; tenant?: string; withoutData?: WithoutData },
): Promise<Connection> {
  const fetch = fetchOf(environment)
  const { tenant } = options
  const url = options.url ?? (environment.env['TOOLCRIB_URL'] || undefined)
  if (url !== undefined) {
    const address = { url: parseAddress(url), key: await keyFor(environment, url, options.data) }
    return toConnection(createClient({ fetch, ...address, tenant }), 'address')
  }
  const running = await findRunning(environment, options.data)
  if (running !== undefined) {
    const findAgain = () => findRunning(environment, options.data)
    const following = followServer(fetch, running, findAgain)
    return toConnection(createClient({ ...running, fetch: following, tenant }), 'running')
  }
  const local = await environment.openLocal(options)
  const { created } = local
  return {
    client: createClient({ ...local, tenant }),
    kind: 'local',
    ...(created !== undefined && { created }),
    close: () => local.close(),
  }
}

/** The same without opening the store: undefined if no server is running here. */
export async function connectIfRunning(
  environment: CliEnvironment,
  options: ServerOptions & { url?: string },
): Promise<Connection | undefined> {
  const isNamed = options.url !== undefined || Boolean(environment.env['TOOLCRIB_URL'])
  if (!isNamed && (await findRunning(environment, options.data)) === undefined) return undefined
  return connect(environment, options)
}

/**
 * The server running on this data folder: its file exists, its process is alive, and it answers as
 * a Toolcrib server.
 */
export async function findRunning(
  environment: CliEnvironment,
  dataFolder: string,
  waitMs = answerMs,
): Promise<ServerAddress | undefined> {
  const file = await readServerFile(dataFolder)
  if (file === undefined || !isAlive(file.pid)) return undefined
  // Another program may have taken the port since; the key is only for our server.
  return (await answersAsCrib(fetchOf(environment), file.url, waitMs)) ? file : undefined
}

/** A connection to a running server. */
export function fetchOf(environment: CliEnvironment): FetchLike {
  return environment.fetch ?? ((url, init) => globalThis.fetch(url, init))
}

function toConnection(client: HttpClient, kind: Connection['kind']): Connection {
  return { client, kind, close: () => Promise.resolve() }
}

function parseAddress(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return parsed.href
  throw new ToolError('invalid_request', `${url} is no http(s) address.`, {
    fix: 'Pass the address that the server printed to --url, such as http://127.0.0.1:4680.',
  })
}

/** TOOLCRIB_KEY, or the owner's key if the address is that of the server on this data folder. */
async function keyFor(
  environment: CliEnvironment,
  url: string,
  dataFolder: string,
): Promise<string> {
  const key = environment.env['TOOLCRIB_KEY']
  if (key) return key
  const file = await readServerFile(dataFolder)
  if (file !== undefined && sameOrigin(file.url, url)) return file.key
  throw new ToolError('unauthorized', `No key is set for ${url}.`, {
    fix: 'Set TOOLCRIB_KEY to a key of that server.',
  })
}

async function readServerFile(
  dataFolder: string,
): Promise<(ServerAddress & { pid: number }) | undefined> {
  try {
    const text = await readFile(join(dataFolder, 'server.json'), 'utf8')
    const { url, key, pid } = JSON.parse(text) as Record<string, unknown>
    if (typeof url !== 'string' || typeof key !== 'string' || !Number.isSafeInteger(pid)) {
      return undefined
    }
    return { url, key, pid: pid as number }
  } catch {
    // Missing, half written or owned by somebody else: then there is no usable file.
    return undefined
  }
}

function isAlive(pid: number): boolean {
  if (pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It lives, but belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Does a Toolcrib server answer at this address? Sends nothing secret. */
export async function answersAsCrib(
  fetch: FetchLike,
  url: string,
  waitMs: number,
): Promise<boolean> {
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/healthz`, {
      signal: AbortSignal.timeout(waitMs),
    })
    const health: unknown = await response.json()
    return typeof health === 'object' && health !== null && 'status' in health
  } catch {
    return false
  }
}

function sameOrigin(a: string, b: string): boolean {
  return URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin
}
