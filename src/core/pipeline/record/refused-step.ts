import type { CallStart } from '../../call-log.ts'
import type { CallError } from '../../kernel/call.ts'
import type { StepCall } from '../../kernel/context/step-calls.ts'
import { createId } from '../../kernel/ids.ts'
import type { Redactor } from '../../secrets/redact.ts'
import type { PipelinePorts } from '../ports.ts'
import { type CallFacts, toSettlement } from './call-facts.ts'

/**
 * Records a step that was refused before it became a call: its tool was removed, or its input does
 * not fit. When the parent continues, it must fail the same way, not run after all. Returns its id.
 */
export function recordRefusedStep(
  { facts, ports, redactor }: { facts: CallFacts; ports: PipelinePorts; redactor: Redactor },
  step: StepCall,
  { digest, error }: { digest: string; error: CallError },
): string {
  const { caller } = facts
  const callId = createId('call')
  const at = ports.now()
  const input = redactor.isEmpty ? step.input : redactor.redactValue(step.input)
  const start: CallStart = {
    callId,
    tenant: caller.tenant,
    tool: step.tool,
    status: 'running',
    input,
    agent: caller.agent,
    principal: caller.principal,
    runtime: caller.runtime,
    sessionId: caller.sessionId,
    parentId: facts.callId,
    stepKey: step.key,
    ...(step.itemCount !== undefined && { itemCount: step.itemCount }),
    askedDigest: digest,
    onBehalfOf: caller.onBehalfOf,
    attempt: 1,
    execution: 'inline',
    isRepeatable: true,
    timeoutMs: step.timeoutMs ?? facts.timeoutMs,
    requestedAt: at,
    events: [
      {
        type: 'call.requested',
        at,
        data: {
          tool: step.tool,
          effect: 'read',
          runtime: caller.runtime,
          decision: { verdict: 'allow' },
          parentId: facts.callId,
          step: step.key,
        },
      },
    ],
  }
  const settlement = toSettlement(
    { callId, caller, requestedAt: at },
    { error, warnings: [] },
    { log: {}, settledAt: at },
  )
  // Kept and retried until it is written; nobody waits for it here.
  ports.recorder
    .openLater(start)
    .settle(settlement)
    .catch(() => undefined)
  return callId
}
