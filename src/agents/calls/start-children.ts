import type { Caller } from '../../core/kernel/call.ts'
import type { AgentTask } from '../../core/kernel/context/call-conversation.ts'
import type { ConversingCall } from '../../core/conversations/conversation-for.ts'
import type { ConversationKind } from '../../core/conversations/conversation.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { createId } from '../../core/kernel/ids.ts'
import { beginTurn } from '../chat/begin-turn.ts'
import type { ConversationPorts } from '../chat/conversation-ports.ts'
import { shareTokens } from './share-tokens.ts'

export const maxTasks = 10

/**
 * Sends out agents for a call, each with a conversation of its own. Everything is looked at before
 * any begins. A call that is run again after a crash finds those that had begun.
 */
export async function startChildren(
  call: ConversingCall,
  tasks: readonly AgentTask[],
  ports: ConversationPorts,
): Promise<void> {
  const { caller, callId } = call
  if (caller.runtime === 'subagent') throw tooDeep()
  if (call.completion === undefined) throw notExternal()
  if (tasks.length === 0 || tasks.length > maxTasks) {
    throw new ToolError('invalid_input', `Send out 1 to ${maxTasks} agents at once`)
  }
  const slugs = await Promise.all(tasks.map((task) => findSlug(caller, task, ports)))
  const known = await ports.store.listChildren(caller.tenant, callId)
  const begun = new Set(known.map(({ position }) => position))
  const deadlineAt = Date.parse(call.completion.expiresAt)
  const share =
    begun.size === tasks.length ? undefined : await shareTokens(caller, tasks.length, ports)
  for (const [position, task] of tasks.entries()) {
    const slug = slugs[position]
    if (slug === undefined || begun.has(position)) continue
    await startChild(
      { caller, callId, task, slug, position, siblings: tasks.length, deadlineAt, share },
      ports,
    )
  }
}

interface Child {
  caller: Caller
  callId: string
  task: AgentTask
  slug: string
  position: number
  siblings: number
  deadlineAt: number
  /** Tokens that are left for it. */
  share: number | undefined
}

async function startChild(child: Child, ports: ConversationPorts): Promise<void> {
  const { caller, callId, task, slug, position, siblings, deadlineAt, share } = child
  const maxTokens = Math.min(task.maxTokens ?? Infinity, share ?? Infinity)
  const { tenant, principal } = caller
  const kind: ConversationKind = task.agent === undefined ? 'subagent' : 'agent'
  const conversation = await ports.store.open({
    id: createId('conv'),
    tenant,
    agent: slug,
    principal,
    kind,
  })
  const { turnId } = await beginTurn(
    {
      conversation,
      caller: toChildCaller(child, conversation.id),
      message: { id: createId('msg'), parts: [{ type: 'text', text: task.prompt }] },
      bounds: {
        deadlineAt,
        siblings,
        maxSteps: Math.min(task.maxSteps ?? Infinity, ports.limits.subagentSteps),
        ...(maxTokens !== Infinity && { maxTokens }),
      },
      parentCallId: callId,
      position,
    },
    ports,
  )
  await ports.runner.start(turnId)
}

/**
 * The caller that a child calls tools as: its own agent below its parent, so it may use the tools
 * that both may. Its session is the parent's: people are asked there, and flags of what it has read
 * are kept there.
 */
function toChildCaller({ caller, slug, task }: Child, conversationId: string): Caller {
  const { agent, parents = [], signInId: _, ...rest } = caller
  const isOther = task.agent !== undefined
  const above = isOther && agent !== undefined ? [agent, ...parents] : parents
  return {
    ...rest,
    agent: slug,
    runtime: 'subagent',
    sessionId: caller.sessionId ?? conversationId,
    ...(above.length > 0 && { parents: above }),
  }
}

async function findSlug(
  caller: Caller,
  task: AgentTask,
  ports: ConversationPorts,
): Promise<string> {
  if (task.prompt.trim() === '') throw new ToolError('invalid_input', 'A task must say what to do')
  const slug = task.agent ?? caller.agent
  if (slug === undefined) {
    throw new ToolError('invalid_request', 'Only an agent can send out agents like itself')
  }
  const found = await ports.models.findAgent(caller.tenant, slug)
  if (found !== undefined) return slug
  throw new ToolError('not_found', `There is no agent ${JSON.stringify(slug.slice(0, 100))}`)
}

function tooDeep(): ToolError {
  return new ToolError('denied', 'An agent that was sent out can not send out others', {
    retryable: false,
    fix: 'Do the work yourself, and say what is left to do.',
  })
}

function notExternal(): ToolError {
  return new ToolError('tool_failed', 'Only external tools can send out agents', {
    fix: "Give the tool execution: 'external'.",
  })
}
