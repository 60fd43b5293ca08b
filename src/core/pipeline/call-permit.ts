import type { CallResult } from '../kernel/call.ts'
import type { Permit } from '../limits/permit.ts'
import type { Spent } from '../limits/usage-totals.ts'
import { toNamed } from '../policy/compiled-scope.ts'
import type { Scope } from '../policy/scope.ts'
import type { RegisteredTool } from '../registry.ts'
import { costOf } from './record/call-cost.ts'
import type { ChainedRequest } from './chained-request.ts'
import type { PipelinePorts } from './ports.ts'
import type { PreparedCall } from './context/prepare-call.ts'
import { utf8Length } from '../kernel/text/utf8.ts'

interface FoundTool {
  entry: RegisteredTool
  scope: Scope
}

type Ports = Pick<PipelinePorts, 'limiter'>

/** The permit that a call holds while it runs. Undefined when no limit applies. */
export function takePermit(
  { entry, scope }: FoundTool,
  from: Pick<ChainedRequest, 'caller' | 'held'> & { isAgain?: boolean },
  ports: Ports,
): Promise<Permit | undefined> | undefined {
  const { limits } = scope
  if (limits === undefined) return undefined
  const { caller, held, isAgain } = from
  return ports.limiter.enter({ limits, tool: toNamed(entry), caller, held, isAgain })
}

/**
 * Runs a recorded call under its permit: it counts from now on, and its usage is added when it
 * ends.
 */
export function runIn(
  permit: Permit | undefined,
  call: PreparedCall,
  run: () => Promise<CallResult>,
): Promise<CallResult> {
  return permit === undefined ? run() : runCounted(permit, call, run)
}

async function runCounted(
  permit: Permit,
  call: PreparedCall,
  run: () => Promise<CallResult>,
): Promise<CallResult> {
  permit.begin()
  const result = await run()
  permit.spend(spentBy(result, call))
  return result
}

/** Output and cost for the daily totals, minus the part counted during the run. */
function spentBy({ status, output, artifact }: CallResult, call: PreparedCall): Spent {
  const shown = output === undefined ? 0 : utf8Length(JSON.stringify(output))
  const { units, counted } = call.spending
  const left = units - counted
  const cost = status === 'completed' ? costOf(status, call.facts.contract, left) : left
  return { outputBytes: artifact?.bytes ?? shown, cost }
}
