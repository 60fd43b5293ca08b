import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import type { RuleDraft, RuleStore } from '../../core/rules/rule-store.ts'
import type { TenantRules } from '../../core/rules/tenant-rules.ts'
import type { UploadStore } from '../../core/uploads/upload-store.ts'
import type { ServerTerms } from '../mcp-servers/server-rules.ts'
import type { NetworkAccess } from '../network/network-access.ts'
import type { ApiReader } from './api-reader.ts'
import type { DefinitionStore } from './definition-store.ts'
import { readApis, type StoredApi } from './read-apis.ts'
import type { ApiTools } from './tools/create-api-tools.ts'

/** The dependencies of the operations on APIs. */
export interface ApiParts {
  rules: RuleStore
  views: Pick<TenantRules, 'refresh' | 'findView'>
  definitions: DefinitionStore
  reader: ApiReader
  network: Pick<NetworkAccess, 'fetchFor'>
  uploads: UploadStore
  tools: Pick<ApiTools, 'changed'>
  /** The rules for private addresses, which are those of MCP servers. */
  terms: ServerTerms
  now(): number
}

/** Changes rules of a tenant. Once it resolves, its tools are up to date on this node. */
export async function changeApis<T>(
  parts: Pick<ApiParts, 'rules' | 'views' | 'tools'>,
  { tenant, principal }: Pick<Caller, 'tenant' | 'principal'>,
  work: (draft: RuleDraft) => Promise<T>,
): Promise<T> {
  const result = await parts.rules.change(tenant, principal, work)
  await parts.views.refresh()
  await parts.tools.changed(tenant)
  return result
}

/** The APIs of a tenant, by name. */
export async function listApis({ views }: Pick<ApiParts, 'views'>, tenant: string) {
  return readApis(await views.findView(tenant))
}

/** Missing APIs and those of other tenants get the same answer. */
export async function findApi(
  parts: Pick<ApiParts, 'views'>,
  { tenant }: Pick<Caller, 'tenant'>,
  name: string,
): Promise<StoredApi> {
  const found = (await listApis(parts, tenant)).find((api) => api.name === name)
  if (found === undefined) throw apiNotFound(name)
  return found
}

/** An API of the tenant, if it may be changed here. */
export async function findOwnApi(
  parts: Pick<ApiParts, 'views'>,
  caller: Pick<Caller, 'tenant'>,
  name: string,
): Promise<StoredApi> {
  const found = await findApi(parts, caller, name)
  if (!found.rule.isDeclared) return found
  throw new ToolError('conflict', `The API ${name} is declared in the configuration`, {
    fix: 'Change it there and restart.',
  })
}

export function apiNotFound(name: string): ToolError {
  return new ToolError('not_found', `There is no API ${JSON.stringify(name.slice(0, 100))}`, {
    fix: 'toolcrib apis list shows the APIs.',
  })
}
