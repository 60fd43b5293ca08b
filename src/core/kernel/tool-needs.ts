import type { JsonValue } from './json.ts'

/** The capabilities a tool requests and finds in its context. */
export interface ToolNeeds {
  secrets: object
  env: object
  options: unknown
}

/** The needs of an unknown tool: any key may be present. */
export interface AnyNeeds extends ToolNeeds {
  secrets: Readonly<Record<string, string | undefined>>
  env: Readonly<Record<string, string | undefined>>
  options: Readonly<Record<string, JsonValue>>
}
