import { z } from 'zod'
import type { StoredCall } from '../../core/call-log.ts'
import { stepsFrom } from '../../core/compositions/planned-steps.ts'
import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { PlannedStep } from '../../core/kernel/steps/planned-step.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { findTool } from '../../core/pipeline/find-tool.ts'
import { toRerun } from '../../core/pipeline/rerun/to-rerun.ts'
import { stepsOfTallies, type TalliedCalls, toCallSteps, wouldRunAgain } from './call-steps.ts'
import { findVisible } from './find-call.ts'
import type { CallOperationParts } from './parts.ts'
import { maySeeTool } from './rerun-operations.ts'
import { callStep, type CallStep, stepsQuery } from './schemas.ts'

const define = operationsOf<CallOperationParts>('Calls')

/** `GET /calls/{id}/steps`. */
export const listCallSteps = define({
  http: 'GET /api/v1/calls/{id}/steps',
  summary: 'List the steps of a composition',
  description:
    'With the state of each. Empty for a call of any other tool. With `from`, each step has `runsAgain`, and the request fails if the call cannot run again from that step.',
  needs: 'signed-in',
  agents: 'own',
  params: { id: 'The id of the call' },
  query: stepsQuery,
  answer: { description: 'The steps, in order', schema: z.object({ items: z.array(callStep) }) },
  refusals: { 409: 'It cannot run again from that step: the reason is in `detail`' },
  async run({ id, from }, { caller, parts }) {
    const { tenant, callId, tool } = await findVisible(parts, { caller, id })
    const call = await parts.ports.calls.findWithInput(tenant, callId)
    if (call === undefined) throw new ToolError('not_found', `There is no call ${callId}`)
    const isVisible = await maySeeTool(tool, caller, parts)
    if (from !== undefined && !isVisible) {
      throw new ToolError('tool_not_found', `There is no tool ${tool}`)
    }
    const again = from === undefined ? undefined : await againFrom(call, from, parts)
    const plan = isVisible ? await findPlan(call, parts) : undefined
    const tallies = await readTallies(call, plan ?? [], parts)
    const steps = plan ?? stepsOfTallies(tallies)
    const items = toCallSteps({ status: call.status, steps, tallies })
    const known = await withEffects(items, { caller, tallies }, parts)
    if (again === undefined) return { items: known }
    return {
      items: known.map((item) => ({ ...item, runsAgain: wouldRunAgain(item, { steps, again }) })),
    }
  },
})

/** Throws where a rerun would be refused. */
async function againFrom(
  call: StoredCall,
  from: string,
  { ports }: CallOperationParts,
): Promise<ReadonlySet<string>> {
  const { candidate } = await toRerun(call, from, ports)
  return stepsFrom(candidate?.tool.steps ?? [], from)
}

/** Undefined if that version of the composition is not kept; no steps for a tool of another kind. */
async function findPlan(
  { tenant, tool, toolVersion = '' }: StoredCall,
  { ports }: CallOperationParts,
): Promise<readonly PlannedStep[] | undefined> {
  const current = ports.registry.find(tool, tenant)
  if (current !== undefined && current.tool.steps === undefined) return []
  return (await ports.findVersion(tenant, tool, toolVersion))?.tool.steps
}

/** The calls of its steps, and those whose results it took from the call it runs again. */
async function readTallies(
  call: StoredCall,
  steps: readonly PlannedStep[],
  parts: CallOperationParts,
): Promise<TalliedCalls[]> {
  const own = await parts.calls.tallySteps(call.tenant, call.callId)
  const made = own.map((tally) => ({ ...tally, isKept: false }))
  const { rerun } = call
  if (rerun?.from === undefined) return made
  const earlier = await parts.ports.calls.findWithInput(call.tenant, rerun.of)
  if (earlier === undefined) return made
  const again = stepsFrom(steps, rerun.from)
  const mayFail = new Set(steps.flatMap((step) => (step.mayFail ? [step.id] : [])))
  const kept = (await readTallies(earlier, steps, parts)).filter(
    ({ step, status }) =>
      !again.has(step) && (status === 'completed' || (mayFail.has(step) && status !== 'cancelled')),
  )
  return [...kept.map((tally) => ({ ...tally, isKept: true })), ...made]
}

/** A step that was not called names its tool to those who may see it. */
async function withEffects(
  items: readonly CallStep[],
  { caller, tallies }: { caller: Caller; tallies: readonly TalliedCalls[] },
  { ports }: CallOperationParts,
): Promise<CallStep[]> {
  const scope = await ports.scopeFor(caller)
  const called = new Set(tallies.map(({ step }) => step))
  return items.map(({ tool = '', ...item }) => {
    const found = findTool({ tool }, scope, ports)
    const isVisible = found !== undefined && found.decision.verdict !== 'deny'
    return {
      ...item,
      ...((isVisible || called.has(item.id)) && { tool }),
      ...(isVisible && { effect: found.entry.contract.effect }),
    }
  })
}
