import { createHash } from 'node:crypto'
import type { Page } from '../../../core/kernel/page.ts'
import type { LibraryQuery } from '../../../core/library/library-api.ts'
import type { McpShared } from '../mcp-shared.ts'
import type { McpRequestContext } from '../mcp-request-context.ts'

const pageSize = 1000

/** A digest of the prompts that a caller is listed: the lists themselves are not kept for each client. */
export async function digestPrompts(
  { api }: Pick<McpShared, 'api'>,
  requestContext: McpRequestContext,
): Promise<string> {
  return digest([
    await readAll(requestContext, (query) => api.listPrompts(requestContext.caller, query)),
  ])
}

/** The same of resources and of templates, which change under one word. */
export async function digestResources(
  { api }: Pick<McpShared, 'api'>,
  requestContext: McpRequestContext,
): Promise<string> {
  const resources = await readAll(requestContext, (query) =>
    api.listResources(requestContext.caller, query),
  )
  const templates = await readAll(requestContext, (query) =>
    api.listResourceTemplates(requestContext.caller, query),
  )
  return digest([resources, templates])
}

async function readAll<T>(
  { scope }: McpRequestContext,
  list: (query: LibraryQuery) => Promise<Page<T>>,
): Promise<T[]> {
  const all: T[] = []
  let after: string | undefined
  do {
    const page = await list({ ...scope, limit: pageSize, ...(after !== undefined && { after }) })
    all.push(...page.items)
    after = page.next
  } while (after !== undefined)
  return all
}

function digest(lists: unknown): string {
  return createHash('sha256').update(JSON.stringify(lists)).digest('base64')
}
