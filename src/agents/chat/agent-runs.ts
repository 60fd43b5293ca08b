import { createHash } from 'node:crypto'
import type { Caller } from '../../core/kernel/call.ts'
import type { StoredMessage, Turn } from '../../core/conversations/conversation.ts'
import type {
  Run,
  AgentRunRequest,
  ConversationApi,
} from '../../core/conversations/conversation-api.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { createId } from '../../core/kernel/ids.ts'
import { usageSentOut } from '../turn/calls/sent-out.ts'
import { shownUsage } from '../turn/turn-work.ts'
import { textOf, type Part, readParts } from '../turn/ui-parts.ts'
import { beginTurn, conversationNotFound, toTurnCaller } from './begin-turn.ts'
import { waitingIn } from './stored-conversations.ts'
import type { ConversationPorts } from './conversation-ports.ts'
import { assertAgent, isOwn } from './ownership.ts'

type AgentRuns = Pick<ConversationApi, 'startRun' | 'findRun' | 'listRuns' | 'cancelRun'>

const lookEveryMs = 1000

/** Tasks that agents are set, and all other turns. */
export function createAgentRuns(ports: ConversationPorts): AgentRuns {
  const { store, runner } = ports
  async function find(caller: Caller, id: string): Promise<Turn> {
    const turn = await store.findTurn(caller.tenant, id)
    const isBound = caller.agent !== undefined && turn?.agent !== caller.agent
    const isTheirs = turn !== undefined && isOwn(caller, { principal: turn.caller.principal })
    if (turn !== undefined && !isBound && (isTheirs || ports.mayReadAll(caller))) return turn
    throw new ToolError('not_found', `There is no run ${JSON.stringify(id.slice(0, 100))}`)
  }
  return {
    async startRun(caller, agent, request) {
      const turnId = await startRun(caller, { ...request, agent }, ports)
      return toRun(await find(caller, turnId), ports)
    },
    async findRun(caller, id, { waitMs = 0, signal } = {}) {
      const until = performance.now() + waitMs
      for (;;) {
        const news = nextNews(ports, Math.min(lookEveryMs, until - performance.now()), signal)
        try {
          const turn = await find(caller, id)
          const isOver =
            turn.settledAt !== undefined || performance.now() >= until || signal?.aborted
          if (isOver) return await toRun(turn, ports)
          await news.promise
        } finally {
          news.stop()
        }
      }
    },
    async listRuns(caller, { agent, status, conversationId, after, limit }) {
      const { items, next } = await store.listTurns(caller.tenant, {
        ...(!ports.mayReadAll(caller) && { principal: caller.principal }),
        ...((caller.agent ?? agent) !== undefined && { agent: caller.agent ?? agent }),
        ...(status !== undefined && { status }),
        ...(conversationId !== undefined && { conversationId }),
        ...(after !== undefined && { after }),
        limit,
      })
      const runs = items.map((turn) => ({
        ...toFacts(turn),
        ...(turn.title !== undefined && { title: turn.title }),
      }))
      return next === undefined ? { items: runs } : { items: runs, next }
    },
    async cancelRun(caller, id) {
      const turn = await find(caller, id)
      // Permission to read other people's calls is not permission to stop them.
      if (!isOwn(caller, { principal: turn.caller.principal })) ports.assertMayManage(caller)
      if (turn.settledAt !== undefined) {
        throw new ToolError('already_settled', `${id} is ${turn.status} already`)
      }
      await store.requestCancel(caller.tenant, id)
      runner.stop(id)
      await runner.sweep()
      return this.findRun(caller, id, { waitMs: 5000 })
    },
  }
}

async function startRun(
  caller: Caller,
  request: AgentRunRequest & { agent: string },
  ports: ConversationPorts,
): Promise<string> {
  const { agent, conversationId } = request
  const { store, runner } = ports
  if (request.prompt.trim() === '') {
    throw new ToolError('invalid_request', 'The prompt must say what to do')
  }
  await assertAgent(caller, agent, ports)
  const { tenant, principal } = caller
  const conversation =
    conversationId === undefined
      ? await store.open({
          id: createId('conv'),
          tenant,
          agent,
          principal,
          kind: 'task',
          ...toClientId(request),
        })
      : await store.find(tenant, conversationId)
  if (conversation?.agent !== agent || !isOwn(caller, conversation)) {
    throw conversationNotFound(conversationId ?? '')
  }
  const place = { agent, runtime: 'task' as const, sessionId: conversation.id }
  const messageId = toMessageId(conversation.id, request)
  const { turnId, isNew } = await beginTurn(
    {
      conversation,
      caller: toTurnCaller(caller, place),
      message: { id: messageId, parts: [{ type: 'text', text: request.prompt }] },
      bounds: toBounds(request, ports.now()),
    },
    ports,
  )
  if (isNew) await runner.start(turnId)
  else assertSame(await store.findMessage(tenant, conversation.id, messageId), request)
  return turnId
}

/** No chat client can name it so: their names have no spaces. */
function toClientId({ idempotencyKey: key }: AgentRunRequest): { clientId?: string } {
  return key === undefined ? {} : { clientId: `run ${digest(key)}` }
}

/** A conversation has a message once: so a key begins one run there. */
function toMessageId(conversationId: string, { idempotencyKey: key }: AgentRunRequest): string {
  return key === undefined ? createId('msg') : `msg_${digest(`${conversationId} ${key}`)}`
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

function assertSame(known: StoredMessage | undefined, { prompt }: AgentRunRequest): void {
  if (known === undefined || textOf(readParts(known)) === prompt) return
  throw new ToolError('idempotency_mismatch', 'This key was used for another prompt')
}

function toBounds({ maxSteps, timeoutMs }: AgentRunRequest, now: number) {
  return {
    ...(maxSteps !== undefined && { maxSteps }),
    ...(timeoutMs !== undefined && { deadlineAt: now + timeoutMs }),
  }
}

function nextNews({ events }: ConversationPorts, withinMs: number, signal?: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = () => resolve()
  const timer = setTimeout(done, Math.max(0, withinMs))
  const unwatch = events.watch(done)
  signal?.addEventListener('abort', done, { once: true })
  return {
    promise,
    stop() {
      clearTimeout(timer)
      unwatch()
      signal?.removeEventListener('abort', done)
    },
  }
}

function toFacts(turn: Turn): Run {
  const { id, agent, conversationId, status, step, usage, createdAt } = turn
  return {
    id,
    agent,
    conversationId,
    status,
    steps: step,
    usage: shownUsage(usage),
    createdAt,
    ...(turn.model !== undefined && { model: turn.model }),
    ...(turn.error !== undefined && { error: turn.error }),
    ...(turn.parentCallId !== undefined && { parentCallId: turn.parentCallId }),
    ...(turn.settledAt !== undefined && { settledAt: turn.settledAt }),
  }
}

async function toRun(turn: Turn, ports: ConversationPorts): Promise<Run> {
  const run = toFacts(turn)
  if (turn.status === 'waiting') {
    const waiting = await waitingIn(turn, ports)
    return {
      ...run,
      waiting: waiting.map(({ id, callId, tool, input, reasons, expiresAt }) => ({
        id,
        callId,
        tool,
        input,
        reasons,
        expiresAt,
      })),
    }
  }
  if (turn.settledAt === undefined) return run
  const message = await ports.store.findMessage(turn.tenant, turn.conversationId, turn.messageId)
  const parts = readParts(message)
  const { finishReason } = (message?.metadata ?? {}) as { finishReason?: string }
  // Its child agents were stopped with it, and may have ended later.
  const late = turn.status === 'completed' ? {} : await usageSentOut(turn.tenant, parts, ports)
  const usage = { ...run.usage, ...late }
  const why = finishReason === undefined ? {} : { finishReason }
  return { ...run, usage, output: answerOf(parts), ...why }
}

/** The text after the last call: earlier text was about the work. */
export function answerOf(parts: readonly Part[]): string {
  const last = parts.findLastIndex(({ type }) => type === 'step-start')
  const answer = textOf(parts.slice(last + 1))
  return answer === '' ? textOf(parts) : answer
}
