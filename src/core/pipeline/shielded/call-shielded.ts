import type { CallResult } from '../../kernel/call.ts'
import { ToolError } from '../../kernel/errors.ts'
import { emptyRedactor } from '../../secrets/redact.ts'
import { newCall } from '../admission-rules.ts'
import { admit, type Admission } from '../admit.ts'
import type { ChainedRequest } from '../chained-request.ts'
import { run } from '../endings/run.ts'
import { toJsonValue } from '../output/to-json-value.ts'
import type { PipelinePorts } from '../ports.ts'
import { presentError, toCallError } from '../record/call-error.ts'
import { previewIn, runPreview } from './preview-call.ts'
import { refuseEffect, type Shield } from './shield.ts'

/**
 * A call that may have no effect. The one at the top runs, with a context that refuses effects; below
 * it reads run, and any other call is answered with what is given for it, previewed, or refused.
 * Nothing is queued, and nothing waits. Never rejects.
 */
export async function callShielded(
  given: ChainedRequest,
  shield: Shield,
  ports: PipelinePorts,
): Promise<CallResult> {
  const result = await answer(given, shield, ports)
  shield.onCall?.(given, result)
  return result
}

async function answer(
  given: ChainedRequest,
  shield: Shield,
  ports: PipelinePorts,
): Promise<CallResult> {
  const leave = ports.running.enter()
  try {
    const stand = findStandIn(given, shield, ports)
    if (stand !== undefined) return stand
    const admission = await admit({ ...given, mayWait: false }, newCall, ports)
    const { contract, decision } = admission.facts
    if (isNested(given) && contract.effect !== 'read') return await meet(admission, shield, ports)
    if (isNested(given) && decision.verdict === 'ask') throw unasked(contract.name)
    if (contract.execution === 'external') {
      throw refuseEffect(shield.purpose, `${contract.name}, which is completed from outside,`)
    }
    return await run(admission, ports)
  } catch (error) {
    return { status: 'failed', error: presentError(toCallError(error), emptyRedactor) }
  } finally {
    leave()
  }
}

function isNested({ depth = 0 }: ChainedRequest): boolean {
  return depth > 0
}

/** The output given in place of this tool. A tool never stands in for itself. */
function findStandIn(
  request: ChainedRequest,
  { given }: Shield,
  { registry }: Pick<PipelinePorts, 'registry'>,
): CallResult | undefined {
  if (given === undefined || !isNested(request)) return undefined
  const { tool, caller } = request
  const name = registry.find(tool, caller.tenant)?.contract.name ?? tool
  if (!Object.hasOwn(given, name)) return undefined
  return { status: 'completed', output: given[name] ?? null }
}

/** A nested call with an effect is not made: it is reported with its preview, or refused. */
async function meet(
  admission: Admission,
  { purpose, onEffect }: Shield,
  ports: PipelinePorts,
): Promise<CallResult> {
  const { entry, facts } = admission
  const { name } = facts.contract
  if (onEffect === undefined) throw refuseEffect(purpose, name)
  const input = toJsonValue(admission.filled.input ?? {}).value
  if (entry.tool.preview === undefined) {
    onEffect({ tool: name, input })
    return { status: 'completed', output: null }
  }
  const result = await runPreview(withOwnShield(admission), { isCounted: false }, ports)
  const preview = previewIn(result)
  onEffect({
    tool: name,
    input,
    ...(preview === undefined ? { problem: result.error?.message } : { preview }),
  })
  return { status: 'completed', output: null }
}

/** A preview within a preview collects its own calls. */
function withOwnShield(admission: Admission): Admission {
  const { request } = admission
  return {
    ...admission,
    request: { ...request, shield: { ...request.shield, purpose: 'preview' } },
  }
}

function unasked(name: string): ToolError {
  return new ToolError(
    'cannot_wait',
    `${name} needs a person's approval, and this is only a trial`,
    {
      fix: `Give the output of ${name}, or allow it without approval.`,
    },
  )
}
