import type { StoredCall } from '../call-log.ts'
import type { RegisteredTool } from '../registry.ts'
import type { Scope } from '../policy/scope.ts'
import { unwrapCall } from '../search/unwrap-call.ts'
import type { AdmissionRules } from './admission-rules.ts'
import { askForInput } from './ask-for-input.ts'
import { countRefused, refuseBlocked, refuseImpossible } from './refuse-limits.ts'
import type { ChainedRequest } from './chained-request.ts'
import { findTool } from './find-tool.ts'
import { fillInput, type FilledInput } from './input-files.ts'
import { parseInput, refuseMarks } from './parse-input.ts'
import { askInTrial, assertMayTry } from './trial.ts'
import { decideInSession } from './session-rules.ts'
import type { PipelinePorts } from './ports.ts'
import type { CallFacts } from './record/call-facts.ts'
import { toFacts } from './to-facts.ts'
import { admitUndo } from './undo/admit-undo.ts'

/** A request that may become a call. Nothing is recorded yet, and nothing has run. */
export interface Admission {
  /** The request; for `tools.call`, the request inside it. */
  request: ChainedRequest
  entry: RegisteredTool
  scope: Scope
  /** The input with its files, and the uploads it names. */
  filled: FilledInput
  /** The input as the tool's schema parsed it. */
  input: unknown
  /** The facts to record, including the decision. */
  facts: CallFacts
  /** For a tool that undoes one of its own calls: that call. */
  original?: StoredCall
}

/**
 * Checks every request in the same order, whether it is new, asks first, comes from the queue or
 * has just been approved. The rules name the differences. Each line is a stage and awaits only when
 * its stage returned a promise, because a plain read must not wait for values that are already
 * known.
 */
export async function admit(
  given: ChainedRequest,
  rules: AdmissionRules,
  ports: PipelinePorts,
): Promise<Admission> {
  let scope: Scope | undefined
  let entry: RegisteredTool | undefined
  try {
    // Find and see.
    const request = unwrapCall(given, (name) => findName(name, given, ports))
    const gathering = ports.scopeFor(request.caller)
    scope = gathering instanceof Promise ? await gathering : gathering
    const found = findTool(request, scope, ports)
    if (found === undefined || found.decision.verdict === 'deny') {
      throw await rules.toRefusal({ request, found }, ports)
    }
    ;({ entry } = found)
    assertMayTry(request)
    if (rules.countsRefusals) refuseBlocked(found, request.caller, ports)
    // Fill and parse.
    refuseMarks(entry.contract, request.input, rules)
    const filling = fillInput(entry.contract, request, ports)
    const filled = filling instanceof Promise ? await filling : filling
    const input = parseInput(entry, filled.input, rules)
    // Decide.
    if (rules.refusesImpossible) refuseImpossible(found, request.caller, ports)
    const asked = askForInput(found, input)
    const deciding = rules.appliesSession ? decideInSession(asked, request, ports) : asked.decision
    const decided = deciding instanceof Promise ? await deciding : deciding
    const decision = askInTrial(entry, decided, request)
    const facts = toFacts({ entry, scope, decision }, request, ports.now())
    const admission = { request, entry, scope, filled, input, facts }
    if (request.undoes === undefined) return admission
    return await admitUndo(admission, request.undoes, ports)
  } catch (error) {
    if (!rules.countsRefusals) throw error
    throw await countRefused(error, { caller: given.caller, scope, entry }, ports)
  }
}

/** The canonical name of the tool that this caller refers to. */
function findName(
  name: string,
  { caller }: ChainedRequest,
  { registry }: PipelinePorts,
): string | undefined {
  return registry.find(name, caller.tenant)?.contract.name
}
