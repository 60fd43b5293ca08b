import type { StoredCall } from '../../call-log.ts'
import { isSettled } from '../../call-state.ts'
import { ToolError } from '../../kernel/errors.ts'
import type { PlannedStep } from '../../kernel/steps/planned-step.ts'
import { describeKnown } from '../../patterns/nearest-name.ts'
import { draftHashOf } from '../../tool-version.ts'
import type { RegisteredTool } from '../../registry.ts'
import type { ChainedRequest } from '../chained-request.ts'
import type { PipelinePorts } from '../ports.ts'
import { underCurrentRules } from '../under-current-rules.ts'
import { findUndos } from '../undo/undo-request.ts'
import { keptResults } from './kept-results.ts'
import { readResults } from './read-kept.ts'

type RerunPorts = Pick<PipelinePorts, 'registry' | 'findVersion'> & {
  calls: Pick<PipelinePorts['calls'], 'findWithInput' | 'listChildren' | 'list'>
}

/** A call that can be run again from a step. */
export interface RerunnableCall {
  entry: RegisteredTool
  steps: readonly PlannedStep[]
}

/**
 * The part of a request that makes it run a call again from a step: in the version of the tool that
 * the call ran, with the results that it keeps. Throws with the reason why that is not possible.
 */
export async function toRerun(
  call: StoredCall,
  from: string,
  ports: RerunPorts,
): Promise<Required<Pick<ChainedRequest, 'candidate' | 'rerun'>>> {
  const { entry, steps } = await findRerunnable(call, ports)
  assertStep(call, { steps, from })
  const { earlier } = await findUndos(call, ports)
  if (earlier !== undefined) throw undone(call.callId, earlier.callId)
  const results = await readResults(call, { steps }, ports)
  const { kept, inDoubt } = keptResults(results, { steps, from })
  if (inDoubt !== undefined) throw doubtful(inDoubt)
  await assertNotUndone(kept, ports)
  const candidate = underCurrentRules(entry, ports.registry.find(call.tool, call.tenant))
  return { candidate, rerun: { of: call.callId, from, kept: kept.length } }
}

/** The composition as it was when the call ran. Throws with the reason why there is none. */
export async function findRerunnable(
  call: StoredCall,
  ports: Pick<RerunPorts, 'registry' | 'findVersion'>,
): Promise<RerunnableCall> {
  const { callId, tenant, tool, toolVersion, purpose, undoes, status } = call
  if (purpose !== undefined) throw refused(`${callId} is a ${purpose}: its steps had no effect`)
  if (undoes !== undefined) throw refused(`${callId} undoes another call`)
  if (!isSettled(status)) {
    throw refused(`${callId} is ${status}`, 'Wait until it has ended, or cancel it.')
  }
  const current = ports.registry.find(tool, tenant)
  if (current !== undefined && current.tool.steps === undefined) throw notComposed(tool)
  if (toolVersion === undefined) throw refused(`The version of ${tool} it ran was not recorded`)
  if (draftHashOf(toolVersion) !== undefined) {
    throw refused(`${callId} tried a draft, which only its author runs`, 'Test the draft again.')
  }
  const entry = await ports.findVersion(tenant, tool, toolVersion)
  if (entry === undefined) throw lost(call, current)
  if (entry.tool.steps === undefined) throw notComposed(tool)
  return { entry, steps: entry.tool.steps }
}

function assertStep(
  { tool }: StoredCall,
  { steps, from }: { steps: readonly PlannedStep[]; from: string },
): void {
  const ids = steps.map(({ id }) => id)
  if (ids.includes(from)) return
  const message = `${tool} has no step ${JSON.stringify(from.slice(0, 100))}: ${describeKnown(from, ids)}`
  throw new ToolError('invalid_request', message, { issues: [{ path: '/from', message }] })
}

/** Steps must not build on a result that was undone. */
async function assertNotUndone(kept: readonly StoredCall[], ports: RerunPorts): Promise<void> {
  for (const call of kept) {
    const { contract } = ports.registry.find(call.tool, call.tenant) ?? {}
    if (contract?.undo === undefined || call.status !== 'completed') continue
    const { earlier } = await findUndos(call, ports)
    if (earlier === undefined) continue
    throw refused(
      `Step ${call.stepKey} was undone by ${earlier.callId}`,
      'Start from that step, or from one before it.',
    )
  }
}

function notComposed(tool: string): ToolError {
  return new ToolError('invalid_request', `${tool} is not a composition, so it has no steps`, {
    fix: 'Leave out `from` to run it again as a whole.',
  })
}

function lost({ tool, toolVersion }: StoredCall, current: RegisteredTool | undefined): ToolError {
  const message =
    current === undefined
      ? `${tool} no longer exists, and its version ${toolVersion} is not kept`
      : `${tool} has changed: the call ran version ${toolVersion}, which is not kept, and now it is ${current.version}`
  return refused(message)
}

function undone(callId: string, by: string): ToolError {
  return refused(`${callId} was undone by ${by}`)
}

function doubtful({ stepKey, callId }: StoredCall): ToolError {
  return refused(
    `Step ${stepKey} would run again, and its effect may have happened (${callId})`,
    'Check whether it has happened. To run it again nevertheless, start from that step or one before it.',
  )
}

function refused(message: string, fix = 'Leave out `from` to run it again as a whole.'): ToolError {
  return new ToolError('conflict', message, { fix })
}
