import { z } from 'zod'
import type { Sandbox, WorkspaceProcesses } from '../../core/host/sandbox.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { requireOneOf } from '../../core/operations/require-permission.ts'
import { findWorkspaceFor } from '../workspaces/find-workspace.ts'
import type { OpenWorkspaces } from '../workspaces/open-workspaces.ts'
import { processOutput, processStatus, signalName } from './process-schemas.ts'

/** The dependencies of the operations on processes. */
export interface ProcessParts {
  sandbox: Pick<Sandbox, 'processesIn'>
  workspaces: OpenWorkspaces
}

const define = operationsOf<ProcessParts>('Workspaces')
const params = { id: 'The id of the workspace' }
const processParams = { ...params, pid: 'The number of the process in this workspace' }
const refusals = { 404: 'No such workspace or process, or not yours' }

const listProcesses = define({
  http: 'GET /api/v1/workspaces/{id}/processes',
  summary: 'List the background processes of a workspace',
  description:
    'Those of the server that answers: the ones that run, and the last fifty that have ended.',
  needs: 'signed-in',
  agents: 'own',
  params,
  answer: {
    description: 'In the order in which they were started',
    schema: z.object({ items: z.array(processStatus) }),
  },
  refusals,
  run: async ({ id }, { caller, parts }) => ({
    items: await (await open(parts, caller, id)).list(),
  }),
})

const readProcessOutput = define({
  http: 'GET /api/v1/workspaces/{id}/processes/{pid}/output',
  summary: 'Read what a background process has written',
  description: 'The end of each stream is kept; `dropped` counts what is missing before `offset`.',
  needs: 'signed-in',
  agents: 'own',
  params: processParams,
  query: z.strictObject({
    stream: z.enum(['stdout', 'stderr']).default('stdout'),
    offset: z.coerce.number<number>().int().min(0).default(0).meta({
      description: 'Where to read on: `next` of the previous answer',
    }),
    maxBytes: z.coerce.number<number>().int().min(1).max(1_048_576).default(65_536),
  }),
  answer: { description: 'A piece of it', schema: processOutput },
  refusals,
  run: async ({ id, pid, ...range }, { caller, parts }) =>
    (await open(parts, caller, id)).output(toPid(pid), range),
})

const killProcess = define({
  http: 'POST /api/v1/workspaces/{id}/processes/{pid}/kill',
  summary: 'End a background process',
  description: 'Without a signal: SIGTERM, and SIGKILL two seconds later.',
  needs: 'signed-in',
  agents: 'own',
  params: processParams,
  isBodyOptional: true,
  body: z.strictObject({ signal: signalName.optional() }),
  answer: { status: 200, description: 'How it is afterwards', schema: processStatus },
  refusals,
  async run({ id, pid, signal }, { caller, parts }) {
    const processes = await open(parts, caller, id)
    requireOneOf(caller, ['workspaces.write'])
    return processes.kill(toPid(pid), signal)
  },
})

/** Everything that can be done with background processes, by library method. */
export const processOperations = { listProcesses, readProcessOutput, killProcess }

async function open(
  { workspaces, sandbox }: ProcessParts,
  caller: Caller,
  id: string,
): Promise<WorkspaceProcesses> {
  const found = await findWorkspaceFor({ workspaces }, caller, id)
  return sandbox.processesIn(found.id)
}

function toPid(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new ToolError('not_found', `There is no process ${JSON.stringify(text.slice(0, 20))}`)
}
