import { ToolError } from '../kernel/errors.ts'

/** Headers that speak for a proxy or name another host: servers decide by them whom to trust. */
const reserved = /^(?:host|forwarded|via|x-real-ip|x-forwarded-.*|proxy-.*|x-original-.*)$/

/** Headers of one connection, which the client sets itself. */
const ofConnection = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** The headers of a tool's request. Throws for those that a tool may not set. */
export function toToolHeaders(given: ConstructorParameters<typeof Headers>[0]): Headers {
  const headers = new Headers(given)
  const names = [...headers.keys()]
  for (const name of names) {
    if (reserved.test(name)) throw notAllowed(name)
    if (ofConnection.has(name)) headers.delete(name)
  }
  return headers
}

function notAllowed(name: string): ToolError {
  return new ToolError('invalid_request', `Requests of tools must not set the header ${name}`, {
    fix: 'Leave it out: it follows from the address.',
  })
}
