import { findDifferences } from '../../../core/gateway/find-differences.ts'
import type { PinDifference } from '../../../core/gateway/tool-pin.ts'
import type { Caller } from '../../../core/kernel/call.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { JsonValue } from '../../../core/kernel/json.ts'
import type { RuleDraft } from '../../../core/rules/rule-store.ts'
import { judgeOperations, type JudgedOperation } from '../judge-operations.ts'
import { type ApiListing, type OperationPin, readListing } from '../listing.ts'
import type { ApiOperation } from '../model.ts'
import { type ApiParts, changeApis, findApi } from '../parts.ts'
import type { ApiTool, DecidedApiTool } from '../schemas.ts'
import { toolName } from '../tools/to-api-tool.ts'

/** A decision about an operation as it was reviewed. */
export interface OperationDecision {
  tool: string
  hash: string
  verdict: 'accept' | 'reject'
}

/** The operations of an API, with why some are not in use. */
export async function listOperations(
  parts: ApiParts,
  caller: Pick<Caller, 'tenant'>,
  name: string,
): Promise<ApiTool[]> {
  const { spec } = await findApi(parts, caller, name)
  const listing = readListing(await parts.rules.find(caller.tenant, 'api-tools', name))
  if (spec === undefined || listing === undefined) return []
  const judged = judgeOperations(listing, spec)
  const differences = await findChanges(
    parts,
    { tenant: caller.tenant, api: name },
    { judged, listing },
  )
  return judged.map((operation) => toApiTool(name, operation, differences.get(operation.name)))
}

function toApiTool(
  api: string,
  operation: JudgedOperation,
  differences: PinDifference[] | undefined,
): ApiTool {
  const { name, hash, method, path, title, tags, effect, effectBy, state, reason, findings } =
    operation
  return {
    name,
    tool: toolName(api, name),
    title,
    method,
    path,
    tags,
    effect,
    effectBy,
    state,
    ...(reason !== undefined && { reason }),
    hash,
    ...(differences !== undefined && { differences }),
    findings,
  }
}

/** Reviewing more at once is nobody’s work. */
const mostDifferences = 500

/** The differences of operations that wait for a decision from their accepted definitions. */
async function findChanges(
  { definitions }: Pick<ApiParts, 'definitions'>,
  key: { tenant: string; api: string },
  { judged, listing }: { judged: readonly JudgedOperation[]; listing: ApiListing },
): Promise<Map<string, PinDifference[]>> {
  const waiting = judged
    .filter(({ state, fault }) => state === 'quarantined' && fault === undefined)
    .slice(0, mostDifferences)
  const pinOf = (name: string) => listing.pins[name]?.hash
  const hashes = waiting.flatMap(({ name, hash }) => [hash, pinOf(name)])
  const found = await definitions.find(key, [...new Set(hashes.filter((one) => one !== undefined))])
  const byHash = new Map(found.map(({ hash, definition }) => [hash, definition]))
  return new Map(
    waiting.map(({ name, hash }) => [
      name,
      findDifferences(toSeen(byHash.get(pinOf(name) ?? '')), toSeen(byHash.get(hash))),
    ]),
  )
}

function toSeen(definition: ApiOperation | undefined): JsonValue {
  if (definition === undefined) return {}
  const { findings: _findings, ...seen } = definition
  return seen as unknown as JsonValue
}

/** Each as it was reviewed: one that has changed again is reported, and does not affect the others. */
export async function decideOperations(
  parts: ApiParts,
  caller: Caller,
  { name, decisions }: { name: string; decisions: readonly OperationDecision[] },
): Promise<DecidedApiTool[]> {
  refuseTwice(decisions)
  await findApi(parts, caller, name)
  const faults = await changeApis(parts, caller, (draft) => decide(draft, name, decisions))
  const states = new Map(
    (await listOperations(parts, caller, name)).map((one) => [one.name, one.state]),
  )
  return decisions.map(({ tool }) => {
    const state = states.get(tool)
    const fault = faults.get(tool)
    return {
      tool,
      ...(state !== undefined && { state }),
      ...(fault !== undefined && {
        problem: { code: fault.code, message: fault.message, ...(fault.fix && { fix: fault.fix }) },
      }),
    }
  })
}

/** The same for one; throws where it was not decided. */
export async function decideOperation(
  parts: ApiParts,
  caller: Caller,
  { name, ...decision }: OperationDecision & { name: string },
): Promise<ApiTool> {
  await findApi(parts, caller, name)
  const faults = await changeApis(parts, caller, (draft) => decide(draft, name, [decision]))
  const fault = faults.get(decision.tool)
  if (fault !== undefined) throw fault
  const found = (await listOperations(parts, caller, name)).find(
    (one) => one.name === decision.tool,
  )
  if (found === undefined) throw operationNotFound(name, decision.tool)
  return found
}

async function decide(
  draft: RuleDraft,
  name: string,
  decisions: readonly OperationDecision[],
): Promise<Map<string, ToolError>> {
  const listing = readListing(await draft.find('api-tools', name))
  const operations = new Map(listing?.operations.map((one) => [one.name, one]))
  const pins = { ...listing?.pins }
  const faults = new Map<string, ToolError>()
  for (const { tool, hash, verdict } of decisions) {
    const operation = operations.get(tool)
    if (operation?.hash !== hash) {
      faults.set(tool, operation ? changedAgain(name, tool) : operationNotFound(name, tool))
      continue
    }
    pins[tool] = verdict === 'accept' ? { hash } : toRejected(pins[tool], hash)
    const type = verdict === 'accept' ? 'api.tool_accepted' : 'api.tool_rejected'
    draft.tell(type, { api: name, tool, hash })
  }
  if (faults.size < decisions.length && listing !== undefined) {
    await draft.put('api-tools', name, { body: { ...listing, pins } as unknown as JsonValue })
  }
  return faults
}

/** The accepted hash is kept after a rejection, to show the differences of the next version. */
function toRejected(before: OperationPin | undefined, rejected: string): OperationPin {
  const accepted = before?.hash
  return { rejected, ...(accepted !== undefined && accepted !== rejected && { hash: accepted }) }
}

function refuseTwice(decisions: readonly OperationDecision[]): void {
  const names = decisions.map(({ tool }) => tool)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice === undefined) return
  throw new ToolError('invalid_request', `${twice} is decided on twice`, {
    fix: 'Name every operation once.',
  })
}

/** The error for an operation that the API does not have. */
export function operationNotFound(api: string, tool: string): ToolError {
  const what = JSON.stringify(tool.slice(0, 100))
  return new ToolError('not_found', `The API ${api} has no operation ${what}`, {
    fix: `toolcrib apis tools ${api} lists them.`,
  })
}

function changedAgain(api: string, tool: string): ToolError {
  return new ToolError('conflict', `${tool} has changed in the meantime`, {
    fix: `Review it again: toolcrib apis tools ${api}`,
  })
}
