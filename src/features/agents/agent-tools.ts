import { toTool } from '../../core/define-tool.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { Store } from '../../core/ports.ts'
import type { Rule } from '../../core/rules/rule-store.ts'
import { agentSchema } from '../../core/rules/rule-schemas.ts'
import { runtimes } from '../../core/kernel/runtime.ts'
import type { OwnTool } from '../../core/tenant-tables.ts'
import type { Tool } from '../../core/kernel/tool.ts'
import type { ToolSource } from '../../core/sources/tool-source.ts'

/** A day in total, because it may wait for an approval that long. An agent's own timeout is shorter. */
const answerMs = 86_400_000
/** Only this many agents are offered as tools. */
const agentsAtMost = 2_000

/**
 * Agents as tools of other agents: those with a description, from which callers know what to ask. A
 * sub-agent can't ask further agents, so it does not see these tools.
 */
export function createAgentTools({ store }: { store: Pick<Store, 'rules'> }): ToolSource {
  const kept = new Map<string, { version: string; tool: Tool }>()
  return {
    name: 'agents',
    async toolsFor(owner) {
      if (owner === 'everyone') return []
      const { items } = await store.rules.page(owner.tenant.slug, 'agent', { limit: agentsAtMost })
      return items.flatMap((rule) => toOwnTool(rule, kept))
    },
  }
}

/** The same object as long as nothing changes, so that values derived from it can be cached. */
function toOwnTool(rule: Rule, kept: Map<string, { version: string; tool: Tool }>): OwnTool[] {
  const spec = agentSchema.safeParse(rule.body)
  if (!spec.success || spec.data.description === undefined) return []
  const key = `${rule.tenant}\n${rule.name}`
  const { name, description } = spec.data
  const version = JSON.stringify([name, description])
  const known = kept.get(key)
  const tool =
    known?.version === version ? known.tool : createAgentTool(rule.name, { name, description })
  kept.set(key, { version, tool })
  return [{ tool }]
}

function createAgentTool(
  slug: string,
  facts: { name?: string | undefined; description: string },
): Tool {
  return toTool(
    {
      name: `agent:${slug}`,
      source: 'agent',
      pack: 'agent',
      title: `Ask ${facts.name ?? slug}`.slice(0, 100),
      description: `Ask the agent ${facts.name ?? slug} something and get its answer. ${facts.description} It does not see this conversation, so include everything it needs.`,
      effect: 'write',
      idempotent: true,
      openWorld: false,
      execution: 'external',
      completionMs: answerMs,
      timeoutMs: answerMs,
      maxOutputBytes: 262_144,
      runtimes: runtimes.filter((runtime) => runtime !== 'subagent'),
      inputSchema: {
        type: 'object',
        properties: {
          message: {
            type: 'string',
            minLength: 1,
            maxLength: 50_000,
            description: 'The whole request',
          },
        },
        required: ['message'],
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: { answer: { type: 'string' }, conversationId: { type: 'string' } },
        required: ['answer', 'conversationId'],
        additionalProperties: false,
      },
    },
    {
      async execute(input, { agents }) {
        if (agents === undefined) throw new ToolError('tool_failed', 'This server runs no agents')
        await agents.start([{ prompt: (input as { message: string }).message, agent: slug }])
      },
    },
  )
}
