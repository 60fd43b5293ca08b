import type { Caller, Decision } from '../kernel/call.ts'
import { ToolError } from '../kernel/errors.ts'
import { addFlowAsk, judgeFlow } from '../flow/judge-flow.ts'
import { labelsOf } from '../flow/labels-of.ts'
import { type FlowFacts, flowKey } from '../flow/session-flags.ts'
import type { StoredCall } from '../call-log.ts'
import type { CallFacts } from './record/call-facts.ts'
import type { ResolvedTool } from './find-tool.ts'
import type { PipelinePorts } from './ports.ts'

type FlowPorts = Pick<PipelinePorts, 'flags' | 'calls' | 'recorder' | 'now'>

/**
 * The decision, given the flags of the session. Nothing is read, and no promise returned, for tools
 * without an outside effect and for a call with neither session nor chain. Flags that another call
 * raises later affect only the calls after this one.
 */
export function decideFlow(
  { entry, scope, decision }: ResolvedTool,
  of: { caller: Caller; rootId?: string | undefined },
  ports: FlowPorts,
): Decision | Promise<Decision> {
  const key = keyOf(of.caller.sessionId, of.rootId)
  if (key === undefined) return decision
  const labels = labelsOf(entry, scope)
  if (!labels.isOutside) return decision
  return ports.flags
    .read(of.caller.tenant, key)
    .then((flags) => addFlowAsk(decision, judgeFlow(entry.contract.name, labels, flags)))
}

interface FlowPlace {
  caller: Pick<Caller, 'sessionId'>
  rootId?: string | undefined
}

function hasPast({ caller, rootId }: FlowPlace): boolean {
  return caller.sessionId !== undefined || rootId !== undefined
}

/**
 * The flags that a call of this tool will raise; undefined for tools that read nothing labelled.
 */
export function toFlowFacts(
  { entry, scope }: Pick<ResolvedTool, 'entry' | 'scope'>,
  rootId: string | undefined,
): FlowFacts | undefined {
  const { reads } = labelsOf(entry, scope)
  return reads.length === 0 ? undefined : { reads, rootId }
}

/**
 * Raises the flags of a call before its tool starts: whatever happens to the run, to partial output
 * or to this process, nobody sees its data without the flags. A call without a session or chain has
 * nothing to raise them for until it calls another.
 */
export async function raiseBeforeRun(facts: CallFacts, ports: FlowPorts): Promise<void> {
  const { flow, caller } = facts
  if (flow !== undefined && hasPast({ caller, rootId: flow.rootId })) await raiseFlags(facts, ports)
}

/**
 * Raises flags for everything that sees what this call sees: its session, or the calls it makes.
 */
export async function raiseFlags(facts: CallFacts, ports: FlowPorts): Promise<void> {
  const { flow, caller, callId, contract } = facts
  if (flow === undefined) return
  const { tenant, principal, sessionId, agent } = caller
  const key = keyOf(sessionId, flow.rootId ?? callId)
  if (key === undefined) return
  try {
    // They are nearly always up already, and reading is cheaper than writing.
    const up = await ports.flags.read(tenant, key)
    if (flow.reads.every((kind) => up.some((flag) => flag.kind === kind))) return
    // A flag names its call, so the call must be on record first.
    await ports.recorder.ensure(callId)
    const what = { kinds: flow.reads, callId, tool: contract.name }
    const by = { by: principal, sessionId, agent, at: ports.now() }
    await ports.flags.raise({ tenant, key, ...what, ...by })
  } catch (error) {
    throw new ToolError('record_failed', 'The flags of the session could not be recorded', {
      cause: error,
      fix: 'Check the disk space and the database, then try again.',
    })
  }
}

function keyOf(sessionId: string | undefined, rootId: string | undefined): string | undefined {
  if (sessionId !== undefined) return flowKey({ sessionId })
  return rootId === undefined ? undefined : flowKey({ rootId })
}

/** The root of a stored call's chain; undefined for the root itself. */
export async function findRoot(
  stored: Pick<StoredCall, 'tenant' | 'parentId'>,
  ports: { calls: Pick<PipelinePorts['calls'], 'find'> },
): Promise<string | undefined> {
  let root: string | undefined
  for (let above = stored.parentId; above !== undefined;) {
    root = above
    above = (await ports.calls.find(stored.tenant, above))?.parentId
  }
  return root
}
