import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { openCrib } from '../../../app/open-crib.ts'
import { ownerOf } from '../../../app/owner.ts'
import type { CallRecord, Caller } from '../../../core/kernel/call.ts'
import type { CallRequest } from '../../../core/kernel/call-request.ts'
import type { CribApi } from '../../../features/crib-api.ts'
import { eventOf } from '../../../store/contract/records.ts'
import type { OpenStores } from '../../../features/open-stores.ts'
import { openTestStore } from '../../../testing/open-test-store.ts'
import { createHttpApp } from '../create-http-app.ts'
import type { HttpApp, HttpAppOptions } from '../create-http-app.ts'
import type { Fault } from '../serve-route.ts'
import { doorTools } from './door-tools.ts'

/** A door over a crib in memory, asked without a network. */
export interface OpenDoor {
  /** The crib as this door knows it: a test may replace a member. */
  api: CribApi
  app: HttpApp
  faults: Fault[]
  /** The calls that this door asked for, newest last. */
  requests: CallRequest[]
  log: DoorLog
  keys: DoorKeys
  /** Asks as the owner unless the headers say otherwise; an object as body is sent as JSON. */
  ask(method: string, path: string, more?: AskOptions): Promise<Response>
  /** The calls on record. */
  calls(): Promise<CallRecord[]>
}

export interface AskOptions {
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** The event log of the default tenant, and how much it is used. */
export interface DoorLog {
  /** Adds this many events that belong to no call; resolves with their ids. */
  add(count: number, data?: string): Promise<string[]>
  /** Reads that failed count too. */
  reads: number
  watchers: number
  /** If set, reads fail with it. */
  failure?: Error
}

/** Tokens of API keys: of the owner, of another tenant, and of one agent. */
export interface DoorKeys {
  owner: string
  other: string
  bound: string
}

interface DoorCrib {
  open(options?: Partial<HttpAppOptions>): OpenDoor
  close(): Promise<void>
}

/** The header that shows a token. */
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** The owner of the default tenant, in a browser. */
export const webOwner: Caller = ownerOf('default', 'web')

/** One crib for all tests of a file. Each door over it has its own copy of the API. */
export function useDoors(): DoorCrib['open'] {
  let crib: DoorCrib
  beforeAll(async () => {
    crib = await openDoorCrib()
  })
  afterAll(() => crib.close())
  return (options) => crib.open(options)
}

/** A door over a crib of the current test's own. */
export async function openDoor(options: Partial<HttpAppOptions> = {}): Promise<OpenDoor> {
  const crib = await openDoorCrib()
  onTestFinished(() => crib.close())
  return crib.open(options)
}

async function openDoorCrib(): Promise<DoorCrib> {
  const store = await openTestStore()
  const { log, events } = watchLog(store)
  const crib = await openCrib({
    cwd: '/',
    data: '/nowhere',
    env: {},
    store: { ...store, events },
    tools: doorTools,
    onWarning: () => undefined,
    config: {
      tools: [],
      agents: [{ slug: 'support', tools: { allow: ['text.*'] } }],
      tenants: [{ slug: 'other' }, { slug: 'acme' }],
      // Some calls here end only with their crib.
      limits: { drainMs: 0 },
    },
  })
  const keys = await createKeys(crib.api)
  return {
    open: (options = {}) => openDoorOver({ api: { ...crib.api }, log, keys }, options),
    async close() {
      await crib.close()
      await store.close()
    },
  }
}

async function createKeys(api: CribApi): Promise<DoorKeys> {
  const create = async (tenant: string, agent?: string) => {
    const key = { name: 'door', scopes: ['*'], ...(agent !== undefined && { agent }) }
    return (await api.createKey(ownerOf(tenant), key)).token
  }
  return {
    owner: await create('default'),
    other: await create('other'),
    bound: await create('default', 'support'),
  }
}

/** The store's log, with its uses counted. */
function watchLog({ events }: OpenStores): { log: DoorLog; events: OpenStores['events'] } {
  const log: DoorLog = {
    reads: 0,
    watchers: 0,
    async add(count, data = '') {
      const added = Array.from({ length: count }, () => eventOf('call.output', data))
      const principal = { kind: 'system', id: 'test' } as const
      const after = await events.end('default')
      await events.record([{ tenant: 'default', principal, events: added }])
      const { items } = await events.read('default', { after, limit: count })
      return items.map(({ id }) => id)
    },
  }
  return {
    log,
    events: {
      ...events,
      read(tenant, query) {
        log.reads += 1
        return log.failure === undefined ? events.read(tenant, query) : Promise.reject(log.failure)
      },
      watch(listener) {
        log.watchers += 1
        const unwatch = events.watch(listener)
        return () => {
          log.watchers -= 1
          unwatch()
        }
      },
    },
  }
}

function openDoorOver(
  { api, log, keys }: Pick<OpenDoor, 'api' | 'log' | 'keys'>,
  options: Partial<HttpAppOptions>,
): OpenDoor {
  const faults: Fault[] = []
  const requests: CallRequest[] = []
  const { call, listCalls } = api
  api.call = (request) => {
    requests.push(request)
    return call(request)
  }
  const onFault = (fault: Fault) => void faults.push(fault)
  const app = createHttpApp({ api, version: '1.2.3', onFault, ...options })
  return {
    api,
    app,
    faults,
    requests,
    log,
    keys,
    ask: async (method, path, { body, headers, signal } = {}) =>
      app.request(path, {
        method,
        headers: {
          ...bearer(keys.owner),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
        signal,
      }),
    calls: async () => (await listCalls(webOwner, { limit: 100 })).items,
  }
}

/** Reads an event stream to its end: `[event, data, id?]` for every frame, comments left out. */
export async function readFrames(response: Response): Promise<[string, unknown, string?][]> {
  return toFrames(await response.text())
}

/** The frames in a piece of an event stream. */
export function toFrames(text: string): [string, unknown, string?][] {
  return text
    .split('\n\n')
    .filter((frame) => frame.includes('data: '))
    .map((frame) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1]
      const id = field('id')
      const entry: [string, unknown] = [
        field('event') ?? 'message',
        JSON.parse(field('data') ?? 'null'),
      ]
      return id === undefined ? entry : [...entry, id]
    })
}
