import type { JsonValue } from './json.ts'

/** What a tool has asked for and finds in its context. */
export interface ToolNeeds {
  secrets: object
  env: object
  options: unknown
}

/** The needs of a tool that is not known: any key may be there. */
export interface AnyNeeds extends ToolNeeds {
  secrets: Readonly<Record<string, string | undefined>>
  env: Readonly<Record<string, string | undefined>>
  options: Readonly<Record<string, JsonValue>>
}
