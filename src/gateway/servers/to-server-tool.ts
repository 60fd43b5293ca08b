import type { McpServerSpec } from '../../core/gateway/server-spec.ts'
import type { ServerTool } from '../../core/gateway/tool-pin.ts'
import type { JudgedTool } from '../tools/judge-tools.ts'
import { toHints, toToolFacts } from '../tools/tool-facts.ts'

/** People read only the beginning in a list; the tool's own page has all of it. */
const shownChars = 300

/** A tool as people see it in its server's list. */
export function toServerTool(tool: JudgedTool, server: string, spec: McpServerSpec): ServerTool {
  const { name, localName, definition, state, reason, hash, differences, findings } = tool
  const { description } = definition
  const { effect, effectBy, isTrusted } = toToolFacts(spec, tool)
  return {
    name,
    ...(state !== 'left out' && { tool: `mcp:${server}:${localName}` }),
    ...(typeof description === 'string' && { description: shorten(description.trim()) }),
    effect,
    effectBy,
    hints: toHints(definition),
    hintsTrusted: isTrusted,
    state,
    ...(reason !== undefined && { reason }),
    hash,
    ...(differences !== undefined && { differences }),
    findings,
  }
}

function shorten(text: string): string {
  return text.length > shownChars ? `${text.slice(0, shownChars).toWellFormed()}…` : text
}
