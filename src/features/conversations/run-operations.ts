import { z } from 'zod'
import { pageLimit, pageOf, shortText } from '../../core/operations/fields.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import type { ConversationParts } from './operations.ts'
import { run, runRequest, turnStatus } from './schemas.ts'

const define = operationsOf<ConversationParts>('Runs')
const params = { id: 'The id of the run' }
const asRun = { description: 'The run', schema: run }

const startRun = define({
  http: 'POST /api/v1/agents/{slug}/runs',
  summary: 'Set an agent a task',
  description:
    'The response is sent once the run is stored. The run continues, even across a restart.',
  // A turn is offered tools as its caller: without `tools.call` it would fail once all is stored.
  needs: { all: ['agents.chat', 'tools.call'] },
  agents: 'own',
  params: { slug: 'The agent' },
  idempotencyKey:
    'A repeated request with the same key returns the run that the first one started.',
  body: runRequest,
  answer: { ...asRun, status: 202 },
  run: async ({ slug, ...request }, { caller, parts, idempotencyKey }) =>
    parts.conversations.startRun(caller, slug, { ...request, idempotencyKey }),
})

const listRuns = define({
  http: 'GET /api/v1/runs',
  summary: 'List runs',
  description: 'Every turn of an agent, including chats, newest first.',
  needs: 'agents.chat',
  agents: 'own',
  query: z.strictObject({
    agent: shortText('Only of this agent').optional(),
    status: turnStatus.optional(),
    conversationId: shortText('Only of this conversation').optional(),
    after: shortText('The `next` of the previous page').optional(),
    limit: pageLimit(50, 500),
  }),
  answer: { description: 'A page of runs', schema: pageOf(run) },
  run: async (query, { caller, parts }) => parts.conversations.listRuns(caller, query),
})

const findRun = define({
  http: 'GET /api/v1/runs/{id}',
  summary: 'Read a run',
  needs: 'agents.chat',
  agents: 'own',
  params,
  query: z.strictObject({
    wait: z.coerce.number<number>().min(0).max(86_400).optional().meta({
      description: 'Seconds to wait for its end',
    }),
  }),
  answer: asRun,
  async run({ id, wait = 0 }, context) {
    const { caller, parts, maxWaitSeconds = wait } = context
    const waitMs = Math.min(wait, maxWaitSeconds) * 1000
    const signal = waitMs > 0 ? context.signal : undefined
    return parts.conversations.findRun(caller, id, { waitMs, ...(signal && { signal }) })
  },
})

const cancelRun = define({
  http: 'POST /api/v1/runs/{id}/cancel',
  summary: 'Stop a run',
  description: 'Also cancels the calls it waits for and the sub-agents it has started.',
  needs: 'agents.chat',
  agents: 'own',
  params,
  answer: asRun,
  run: async ({ id }, { caller, parts }) => parts.conversations.cancelRun(caller, id),
})

/** Everything that can be done with runs, by library method. */
export const runOperations = { startRun, listRuns, findRun, cancelRun }
