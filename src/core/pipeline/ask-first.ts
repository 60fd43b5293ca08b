import type { CallResult } from '../call.ts'
import { unwrapCall } from '../search/unwrap-call.ts'
import { emptyRedactor } from '../secrets/redact.ts'
import { askPerson } from './ask-person.ts'
import { presentError, toCallError } from './record/call-error.ts'
import { openWaiting, parseInput, toCanonicalIn, toFacts } from './call-tool.ts'
import type { ChainedRequest } from './chained-request.ts'
import { decideFlow, isFlowDecided } from './data-flow.ts'
import { findTool } from './find-tool.ts'
import { fillInput, holdUploads } from './input-files.ts'
import type { PipelinePorts } from './ports.ts'

/**
 * The half of a call that asks: stores it as waiting where a person has to be asked about it.
 * Undefined where nobody has to be, also because there is something wrong with it: calling it then
 * says what. For doors that have to know before they call whether they will wait. Never rejects.
 */
export async function askFirst(
  given: ChainedRequest,
  ports: PipelinePorts,
): Promise<CallResult | undefined> {
  const leave = ports.running.enter()
  try {
    const request = readRequest(given, ports)
    if (request === undefined) return undefined
    const known = ports.scopeFor(request.caller)
    const scope = known instanceof Promise ? await known : known
    const found = findTool(request, scope, ports)
    if (found.entry === undefined) return undefined
    const filled = await fillInput(found.entry.contract, request, ports)
    if (!fits(found.entry, filled.input)) return undefined
    if (isFlowDecided(found, request)) found.decision = await decideFlow(found, request, ports)
    if (found.decision.verdict !== 'ask') return undefined
    const facts = toFacts(found, request, ports.now())
    const answer = await askPerson({ facts, entry: found.entry, scope, request }, ports)
    if (answer.kind !== 'waiting') return undefined
    await holdUploads(facts, filled.uploads, ports)
    // Whoever asks wants to know how it stands, not to wait for it.
    return await openWaiting(answer, { ...request, respondAsync: true }, ports)
  } catch (error) {
    return { status: 'failed', error: presentError(toCallError(error), emptyRedactor) }
  } finally {
    leave()
  }
}

/** The call that is meant, where it can be read: what is wrong with it is told by calling it. */
function readRequest(given: ChainedRequest, ports: PipelinePorts): ChainedRequest | undefined {
  try {
    return unwrapCall(given, toCanonicalIn(ports, given.caller))
  } catch {
    return undefined
  }
}

function fits(entry: Parameters<typeof parseInput>[0], input: unknown): boolean {
  try {
    parseInput(entry, input)
    return true
  } catch {
    return false
  }
}
