import type { JsonValue } from '../json.ts'
import { grantsSchema } from './rule-schemas.ts'
import type { Rule } from './rule-store.ts'

/** Whether grants or settings of an agent name this tool: exactly, not by a pattern. */
export function namesTool({ kind, body }: Pick<Rule, 'kind' | 'body'>, tool: string): boolean {
  if (kind === 'grants') {
    const grants = grantsSchema.safeParse(body)
    return grants.success && grants.data.some(({ pattern }) => pattern === tool)
  }
  const settings = settingsIn(body)
  return settings !== undefined && Object.hasOwn(settings, tool)
}

/** The settings of tools in a stored agent. */
export function settingsIn(body: JsonValue): Record<string, JsonValue> | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  const settings = body['settings']
  const isRecord = typeof settings === 'object' && settings !== null && !Array.isArray(settings)
  return isRecord ? settings : undefined
}
