import type { ServerFacts } from '../upstream/server-facts.ts'
import type { ReadTool } from '../tools/judge-tools.ts'
import { findParamHeaders } from '../tools/param-headers.ts'
import { toToolFacts } from '../tools/tool-facts.ts'
import type { JsonRecord } from '../wire/messages.ts'
import type { CallTarget } from './call-upstream.ts'

/** The facts about a tool that a call needs, from its definition and its server's settings. */
export function toCallTarget(
  { name, localName, definition }: ReadTool,
  { key, spec }: ServerFacts,
): Omit<CallTarget, 'lease'> {
  const headers = findParamHeaders(definition['inputSchema'])
  const execution = definition['execution'] as JsonRecord | undefined
  return {
    server: key.server,
    tool: name,
    paramHeaders: typeof headers === 'string' ? [] : headers,
    needsTask: execution?.['taskSupport'] === 'required',
    // By the same facts that decisions rest on: a hint that nobody trusts causes no silent repeat.
    isRepeatable: toToolFacts(spec, { localName, definition }).idempotent,
    maxBytes: spec.maxResultBytes,
  }
}
