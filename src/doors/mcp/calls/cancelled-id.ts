import { isRecord } from '../../../core/kernel/json/json-type.ts'
import type { RequestId } from './open-requests.ts'

/** The request that a client of an older era takes back with this message; undefined where it is another. */
export function cancelledId(body: unknown): RequestId | undefined {
  if (!isRecord(body) || body['method'] !== 'notifications/cancelled') return undefined
  const id = isRecord(body['params']) ? body['params']['requestId'] : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
