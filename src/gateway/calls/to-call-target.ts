import { isRecord } from '../../core/schema/json/json-type.ts'
import type { ServerFacts } from '../servers/server-facts.ts'
import type { ReadTool } from '../tools/judge-tools.ts'
import { findParamHeaders } from '../tools/param-headers.ts'
import { effectOf } from '../tools/to-gateway-tool.ts'
import type { JsonRecord } from '../wire/messages.ts'
import type { CallTarget } from './call-upstream.ts'

/** What a call needs to know of a tool, by its definition and its server's settings. */
export function toCallTarget(
  { name, localName, definition }: ReadTool,
  { key, spec }: ServerFacts,
): Omit<CallTarget, 'lease'> {
  const headers = findParamHeaders(definition['inputSchema'])
  const annotations = isRecord(definition['annotations']) ? definition['annotations'] : {}
  const execution = definition['execution'] as JsonRecord | undefined
  return {
    server: key.server,
    tool: name,
    paramHeaders: typeof headers === 'string' ? [] : headers,
    needsTask: execution?.['taskSupport'] === 'required',
    // What operators say of it goes before its server's word here, too.
    isRepeatable:
      effectOf({ spec, localName }, annotations) === 'read' ||
      annotations['idempotentHint'] === true,
    maxBytes: spec.maxResultBytes,
  }
}
