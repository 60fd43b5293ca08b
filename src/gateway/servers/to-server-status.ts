import type { ServerStatus } from '../../core/gateway/server-status.ts'
import type { ServerFacts } from '../upstream/server-facts.ts'
import type { ServerCondition } from './server-condition.ts'
import type { Connections } from './server-connections.ts'
import type { ServerLists } from './server-lists.ts'
import { toServerTool } from './to-server-tool.ts'

interface StatusParts {
  condition: Pick<ServerCondition, 'state' | 'reason'>
  lists: ServerLists
  connections: Pick<Connections, 'count' | 'errorOutput'>
  restarts: number
  /** When it is connected or listed again. */
  retryAt: number | undefined
}

/** A server as operators see it. */
export function toServerStatus(facts: ServerFacts, parts: StatusParts): ServerStatus {
  const { condition, lists, connections, restarts } = parts
  const { verdict, about, listedAt, beyond } = lists
  const errorOutput = connections.errorOutput()
  return {
    ...facts.key,
    isForEveryone: facts.isForEveryone,
    state: facts.spec.enabled ? condition.state : 'disabled',
    ...(condition.reason !== undefined && { reason: condition.reason }),
    ...nextTry(parts),
    ...(verdict !== undefined && { verdict }),
    ...(about !== undefined && { about }),
    ...(listedAt !== undefined && { listedAt }),
    tools: lists.judged().map((tool) => toServerTool(tool, facts.key.server, facts.spec)),
    ...(beyond > 0 && { beyond }),
    connections: connections.count(),
    restarts,
    ...(errorOutput !== '' && { errorOutput }),
  }
}

function nextTry({ condition: { state }, retryAt }: StatusParts): { retryAt?: number } {
  const isTried = state === 'down' || state === 'connected'
  return isTried && retryAt !== undefined ? { retryAt: Math.round(retryAt) } : {}
}
