import { asAgent } from '../../core/kernel/caller.ts'
import { compileGlob } from '../../core/kernel/text/glob.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { requirePermission } from '../../core/operations/require-permission.ts'
import { labelOf } from '../../core/trials/evals/eval-label.ts'
import { listEvals } from './find-evals.ts'
import type { EvalParts } from './parts.ts'
import { evalList, evalQuery, evalReport, evalRequest } from './schemas.ts'

const define = operationsOf<EvalParts>('Evals')
/** As to give an agent a task: its model is asked, and its tools are called. */
const needs = { all: ['agents.chat', 'tools.call'] } as const

const listToolEvals = define({
  http: 'GET /api/v1/evals',
  summary: 'List evals',
  description: 'Those of tools that this caller may call, and those of agents.',
  needs,
  agents: 'own',
  query: evalQuery,
  answer: { description: 'The tools and agents that have evals', schema: evalList },
  async run({ pattern, agent }, { caller, parts }) {
    const subjects = await listEvals(asAgent(caller, { agent }), parts)
    const glob = pattern === undefined ? undefined : compileGlob(pattern)
    const items = subjects.flatMap(({ name, evals }) =>
      glob === undefined || glob(name) ? [{ name, labels: evals.map(labelOf) }] : [],
    )
    return { items }
  },
})

const runToolEvals = define({
  http: 'POST /api/v1/evals/run',
  summary: 'Run evals',
  description:
    "Gives the requests in the definition of a tool or an agent to a model, with the agent's instructions and tools, and compares the calls that it makes with the expected ones. Nothing has an effect: tools are answered by `given`, reads run, and calls with an effect are previewed or refused. Nothing waits for approval. Reads are recorded as calls with `purpose: test`. Limits do not count them, budgets count the cost of the model. Ends when the request does.",
  needs,
  agents: 'own',
  unknownAs: 'tool_not_found',
  body: evalRequest,
  answer: { description: 'The results', schema: evalReport },
  refusals: { 404: 'There is no such tool or agent' },
  async run(request, { caller, parts, signal }) {
    if (request.models !== undefined) requirePermission(caller, 'agents.manage')
    // Loaded when it is needed: most servers never run an eval.
    const { runRequest } = await import('./run-request.ts')
    return runRequest(request, { caller, parts, signal })
  },
})

/** The operations on evals. */
export const evalOperations = { listToolEvals, runToolEvals }
