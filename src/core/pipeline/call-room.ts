import type { CallResult, Caller } from '../call.ts'
import type { Room } from '../limits/room.ts'
import type { Spent } from '../limits/usage-totals.ts'
import { toNamed } from '../policy/compiled-scope.ts'
import type { Scope } from '../policy/scope.ts'
import type { RegisteredTool } from '../registry.ts'
import { costOf } from './call-cost.ts'
import type { ChainedRequest } from './chained-request.ts'
import type { PipelinePorts } from './ports.ts'
import type { PreparedCall } from './prepare-call.ts'
import { utf8Length } from './utf8.ts'

interface FoundTool {
  entry: RegisteredTool
  scope: Scope
}

type Ports = Pick<PipelinePorts, 'limiter'>

/** A call that no limit ever lets through is refused before anybody is asked or waits for it. */
export function refuseImpossible({ entry, scope }: FoundTool, caller: Caller, ports: Ports): void {
  const { limits } = scope
  if (limits !== undefined) {
    ports.limiter.refuseImpossible({ limits, tool: toNamed(entry), caller })
  }
}

/** The room this call takes while it runs; undefined, and at once, where nothing limits it. */
export function takeRoom(
  { entry, scope }: FoundTool,
  from: Pick<ChainedRequest, 'caller' | 'held'> & { isAgain?: boolean },
  ports: Ports,
): Promise<Room | undefined> | undefined {
  const { limits } = scope
  if (limits === undefined) return undefined
  const { caller, held, isAgain } = from
  return ports.limiter.enter({ limits, tool: toNamed(entry), caller, held, isAgain })
}

/** Runs a recorded call: from here on it counts, and what it used is known once it has ended. */
export function runIn(
  room: Room | undefined,
  call: PreparedCall,
  run: () => Promise<CallResult>,
): Promise<CallResult> {
  return room === undefined ? run() : runCounted(room, call, run)
}

async function runCounted(
  room: Room,
  call: PreparedCall,
  run: () => Promise<CallResult>,
): Promise<CallResult> {
  room.begin()
  const result = await run()
  room.spend(spentBy(result, call))
  return result
}

/** As the daily figures will have it, without what was counted while it ran. */
function spentBy({ status, output, artifact }: CallResult, call: PreparedCall): Spent {
  const shown = output === undefined ? 0 : utf8Length(JSON.stringify(output))
  const { units, counted } = call.spending
  const left = units - counted
  const cost = status === 'completed' ? costOf(status, call.facts.contract, left) : left
  return { outputBytes: artifact?.bytes ?? shown, cost }
}
