import type { Tool } from '@modelcontextprotocol/server'
import type { OfferedTool, ToolOffer } from '../../../core/offer/tool-offer.ts'
import { fromCursor, toCursor } from '../cursor.ts'
import type { McpScope } from '../mcp-request-context.ts'
import { findResultTool } from './result-tool.ts'
import type { McpEra } from '../results/mcp-output.ts'
import { toMcpTool } from './to-mcp-tool.ts'

/** One page of `tools/list`, and the same as it is sent. */
export interface ToolPage {
  readonly tools: readonly Tool[]
  readonly nextCursor?: string
  /** JSON of `tools` and `nextCursor`, without the brackets around them. */
  readonly bytes: Uint8Array
}

/** Which page of an offer. */
export interface PageQuery {
  scope: McpScope
  era: McpEra
  cursor: unknown
  pageSize: number
}

/** Most bytes of one page: a thousand large schemas would be too much for one answer. */
const maxPageChars = 4_000_000

/** A page of the offer. Built once for the life of the offer. */
export function toolPage(offer: ToolOffer, query: PageQuery): ToolPage {
  const after = fromCursor(query.cursor)
  const pages = pagesOf(offer)
  const { scope, era, pageSize } = query
  const key = JSON.stringify([scope.server ?? null, era, pageSize, after ?? null])
  const known = pages.get(key)
  if (known !== undefined) return known
  const page = makePage(offer, query, after)
  // Cursors are the client's word: a page from where it likes is made for it, and not kept.
  const isTold = [...pages.values()].some(({ nextCursor }) => nextCursor === query.cursor)
  if (after !== undefined && !isTold) return page
  if (pages.size >= maxKeptPages) pages.clear()
  pages.set(key, page)
  return page
}

const maxKeptPages = 64
const keptPages = new WeakMap<ToolOffer, Map<string, ToolPage>>()

function pagesOf(offer: ToolOffer): Map<string, ToolPage> {
  const known = keptPages.get(offer)
  if (known !== undefined) return known
  const made = new Map<string, ToolPage>()
  keptPages.set(offer, made)
  return made
}

function makePage(offer: ToolOffer, query: PageQuery, after: string | undefined): ToolPage {
  const { scope, era, pageSize } = query
  const shown = offer.tools.filter((tool) => scopedName(tool, scope) !== undefined)
  const from = after === undefined ? 0 : shown.findIndex(({ name }) => name > after)
  const rest = from < 0 ? [] : shown.slice(from)
  const tools: Tool[] = []
  let chars = 0
  for (const tool of rest.slice(0, pageSize)) {
    const listed = toMcpTool(tool, scopedName(tool, scope) ?? tool.wireName, era)
    chars += JSON.stringify(listed).length
    if (chars > maxPageChars && tools.length > 0) break
    tools.push(listed)
  }
  const last = rest[tools.length - 1]
  if (last !== undefined && tools.length < rest.length) return toPage(tools, toCursor(last.name))
  const resultTool = findResultTool(offer, scope)
  return toPage(resultTool === undefined ? tools : [...tools, resultTool])
}

function toPage(tools: readonly Tool[], nextCursor?: string): ToolPage {
  const next = nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(nextCursor)}`
  const bytes = Buffer.from(`"tools":${JSON.stringify(tools)}${next}`)
  return { tools, ...(nextCursor !== undefined && { nextCursor }), bytes }
}

/** The name of a tool at this scope; undefined where it is not shown there. */
export function scopedName(tool: OfferedTool, { server }: McpScope): string | undefined {
  if (server === undefined) return tool.wireName
  return isShownAt(tool.name, { server }) ? tool.name.slice(`mcp:${server}:`.length) : undefined
}

/** Is the tool of this canonical name one that this scope shows? */
export function isShownAt(name: string, { server }: McpScope): boolean {
  return server === undefined || name.startsWith(`mcp:${server}:`)
}

/** The canonical or wire name that a client of this scope means. */
export function fromScopedName(name: string, { server }: McpScope): string {
  return server === undefined ? name : `mcp:${server}:${name}`
}
