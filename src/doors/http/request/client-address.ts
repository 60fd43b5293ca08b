import { isIP } from 'node:net'
import type { HttpRequest } from './http-request.ts'

/**
 * Where a request comes from. Anybody can write X-Forwarded-For; only what the trusted proxies have
 * appended at its end counts, and of that the entry of the outermost one.
 */
export function clientAddress(
  request: Pick<HttpRequest, 'address' | 'header'>,
  trustedProxies: number,
): string | undefined {
  if (trustedProxies === 0) return request.address
  const hops = (request.header('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
  const client = hops.at(-trustedProxies)
  return client !== undefined && isIP(client) !== 0 ? client : request.address
}
