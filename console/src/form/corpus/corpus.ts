import chromeDevtools from './mcp/chrome-devtools-mcp.json' with { type: 'json' }
import playwright from './mcp/playwright-mcp.json' with { type: 'json' }
import everything from './mcp/server-everything.json' with { type: 'json' }
import filesystem from './mcp/server-filesystem.json' with { type: 'json' }
import memory from './mcp/server-memory.json' with { type: 'json' }
import keywords from './keywords.json' with { type: 'json' }
import robust from './robust.json' with { type: 'json' }
import type { JsonValue } from '../../api/json.ts'

/** A schema, and an input that fits it. */
interface CorpusCase {
  name: string
  schema: unknown
  fill: JsonValue
}

/** Shapes that forms tend to stumble over, and every keyword of 2020-12 as a form would meet it. */
export const written = [...robust, ...keywords] as CorpusCase[]

const servers: Record<string, Record<string, unknown>> = {
  'chrome-devtools': chromeDevtools,
  playwright,
  everything,
  filesystem,
  memory,
}

/** The tools of real MCP servers, as those listed them. */
export const listed: { name: string; schema: unknown }[] = Object.entries(servers).flatMap(
  ([server, tools]) =>
    Object.entries(tools).map(([tool, schema]) => ({ name: `${server}: ${tool}`, schema })),
)
