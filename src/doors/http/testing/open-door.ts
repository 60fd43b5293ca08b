import { createHttpApp } from '../create-http-app.ts'
import type { HttpApp, HttpAppOptions } from '../create-http-app.ts'
import type { Fault } from '../serve-route.ts'
import { createMemoryCrib } from './memory-crib.ts'
import type { MemoryCrib } from './memory-crib.ts'

/** A door over a memory crib, asked without a network. */
export interface OpenDoor {
  crib: MemoryCrib
  app: HttpApp
  faults: Fault[]
  /** Asks as the owner unless the headers say otherwise; an object as body is sent as JSON. */
  ask(method: string, path: string, more?: AskOptions): Promise<Response>
}

export interface AskOptions {
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

export const ownerKey = { authorization: 'Bearer crib_owner' }

/** Opens the door. */
export function openDoor(options: Partial<HttpAppOptions> = {}): OpenDoor {
  const crib = createMemoryCrib()
  const faults: Fault[] = []
  const onFault = (fault: Fault) => void faults.push(fault)
  const app = createHttpApp({ api: crib.api, version: '1.2.3', onFault, ...options })
  return {
    crib,
    app,
    faults,
    async ask(method, path, { body, headers, signal } = {}) {
      const isJson = body !== undefined && typeof body !== 'string'
      return app.request(path, {
        method,
        headers: {
          ...ownerKey,
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: isJson ? JSON.stringify(body) : body,
        signal,
      })
    },
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
