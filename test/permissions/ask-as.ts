import type { HttpApp } from '../../src/doors/http/create-http-app.ts'
import type { Operation } from '../../src/core/operations/operation.ts'
import { type ApiDocument, toSample } from '../isolation/sample-request.ts'
import type { RouteName } from '../isolation/walk.ts'
import type { AskAs, Asker, Guard } from './find-gaps.ts'

/** Asks with what the description of the route takes; nothing is called `sample`. */
export function askAs(door: HttpApp, tokenOf: (asker: Asker) => Promise<string>): AskAs {
  const document = door.openApi() as unknown as ApiDocument
  return async (asker, route) => {
    const [method = '', path = ''] = route.split(' ')
    const described = document.paths[path]?.[method.toLowerCase()]
    if (described === undefined) throw new Error(`There is no ${route}`)
    const sample = toSample(document, { path, operation: described, name: 'sample', isFull: false })
    const [type] = Object.keys(described.requestBody?.content ?? {})
    const sent = type === undefined ? undefined : { type, body: sample.body ?? 'bytes' }
    const init = toInit({ method, token: await tokenOf(asker), sent })
    const response = await door.request(`http://localhost${sample.path}`, init)
    return { status: response.status, text: await readText(response) }
  }
}

/** A stream has no end to wait for. */
async function readText(response: Response): Promise<string> {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text()
  await response.body?.cancel()
  return ''
}

interface Sent {
  method: string
  token: string
  sent?: { type: string; body: unknown }
}

function toInit({ method, token, sent }: Sent): RequestInit {
  const authorization = `Bearer ${token}`
  if (sent === undefined) return { method, headers: { authorization } }
  const headers = { authorization, 'content-type': sent.type }
  return { method, headers, body: JSON.stringify(sent.body) }
}

/** What each operation says it needs, by its route. */
export function guardsOf(table: Readonly<Record<string, Operation>>): Record<RouteName, Guard> {
  const entries = Object.values(table).map(({ method, path, needs, agents }) => {
    return [`${method} ${path}`, { needs, agents }] as const
  })
  return Object.fromEntries(entries)
}
