import type { Caller } from '../../../core/kernel/call.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { Finding } from '../../../core/kernel/finding.ts'
import { judgeOperations } from '../judge-operations.ts'
import { readListing } from '../listing.ts'
import { operationNotFound } from './decide-operations.ts'
import { type ApiParts, findApi } from '../parts.ts'
import type { ApiSpec } from '../spec.ts'
import { type HttpDraft, toHttpDocument } from '../to-http-document.ts'

/** An operation as a document that sends the same request. Nothing is kept. */
export async function draftOwnTool(
  parts: ApiParts,
  caller: Pick<Caller, 'tenant'>,
  { name, tool }: { name: string; tool: string },
): Promise<HttpDraft> {
  const { tenant } = caller
  const { spec } = await findApi(parts, caller, name)
  const listing = readListing(await parts.rules.find(tenant, 'api-tools', name))
  if (spec === undefined || listing === undefined) throw operationNotFound(name, tool)
  const operation = judgeOperations(listing, spec).find((one) => one.name === tool)
  if (operation?.state === 'quarantined') throw quarantined(name, tool, operation.reason)
  const hashes = operation === undefined ? [] : [operation.hash]
  const [found] = await parts.definitions.find({ tenant, api: name }, hashes)
  if (found === undefined) throw operationNotFound(name, tool)
  const origin = { api: name, spec: withServer(name, spec), schemes: listing.facts?.schemes ?? [] }
  const { document, findings } = toHttpDocument(found.definition, origin)
  return { document, findings: [...findings, ...checkReach(spec)] }
}

/** The host of an API may be trusted for its own tools alone. */
function checkReach(spec: ApiSpec): Finding[] {
  if (spec.private !== true) return []
  const message =
    'has an address that is not on the public internet: this API may reach it, other tools need a network rule'
  return [{ path: '/spec/url', message, severity: 'warning' }]
}

function quarantined(api: string, tool: string, reason = 'it is set aside'): ToolError {
  return new ToolError('conflict', `${tool} is in quarantine: ${reason}`, {
    fix: `Accept it first: toolcrib apis accept ${api} ${tool}`,
  })
}

function withServer(name: string, spec: ApiSpec): ApiSpec & { server: string } {
  const { server } = spec
  if (server !== undefined) return { ...spec, server }
  throw new ToolError('conflict', `The address of the API ${name} is not known`, {
    fix: `toolcrib apis change ${name} --server https://…`,
  })
}
