import { createHash } from 'node:crypto'
import type { Page } from '../../../core/page.ts'
import type { ShelfQuery } from '../../../core/shelf/shelf-api.ts'
import type { McpDesk } from '../mcp-desk.ts'
import type { McpVisit } from '../mcp-visit.ts'

const pageSize = 1000

/** A digest of the prompts that a caller is listed: the lists themselves are not kept for each client. */
export async function digestPrompts(
  { api }: Pick<McpDesk, 'api'>,
  visit: McpVisit,
): Promise<string> {
  return digest([await readAll(visit, (query) => api.listPrompts(visit.caller, query))])
}

/** The same of resources and of templates, which change under one word. */
export async function digestResources(
  { api }: Pick<McpDesk, 'api'>,
  visit: McpVisit,
): Promise<string> {
  const resources = await readAll(visit, (query) => api.listResources(visit.caller, query))
  const templates = await readAll(visit, (query) => api.listResourceTemplates(visit.caller, query))
  return digest([resources, templates])
}

async function readAll<T>(
  { face }: McpVisit,
  list: (query: ShelfQuery) => Promise<Page<T>>,
): Promise<T[]> {
  const all: T[] = []
  let after: string | undefined
  do {
    const page = await list({ ...face, limit: pageSize, ...(after !== undefined && { after }) })
    all.push(...page.items)
    after = page.next
  } while (after !== undefined)
  return all
}

function digest(lists: unknown): string {
  return createHash('sha256').update(JSON.stringify(lists)).digest('base64')
}
