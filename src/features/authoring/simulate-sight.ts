import { setImmediate } from 'node:timers/promises'
import type { Caller } from '../../core/kernel/call.ts'
import type { Tool } from '../../core/kernel/tool.ts'
import { decide } from '../../core/policy/decide.ts'
import { toEntry } from '../../core/registry-draft.ts'
import type { AuthoringParts } from './parts.ts'
import type { AgentSight } from './schemas.ts'

const agentsAtMost = 200

/**
 * The agents that could call a tool once it is published: the same code decides as for calls, by
 * the rules in force. Every agent is taken with all permissions, so that policy alone decides.
 */
export async function simulateSight(
  { tenant, principal }: Caller,
  tool: Tool,
  { store, scopeFor }: Pick<AuthoringParts, 'store' | 'scopeFor'>,
): Promise<AgentSight> {
  const entry = toEntry({ tool, origin: {} }, () => tool.contract.name)
  const page = await store.rules.page(tenant, 'agent', { limit: agentsAtMost })
  const [sees, asks]: [string[], string[]] = [[], []]
  for (const { name: agent } of page.items) {
    const as: Caller = { tenant, principal, agent, permissions: ['*'], runtime: 'chat' }
    const { verdict } = decide(entry, await scopeFor(as))
    if (verdict !== 'deny') sees.push(agent)
    if (verdict === 'ask') asks.push(agent)
    // Thousands of decisions must not delay other calls.
    await setImmediate()
  }
  return { agents: page.items.length, sees, asks, isPartial: page.next !== undefined }
}
