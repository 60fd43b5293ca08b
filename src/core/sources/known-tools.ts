import type { ToolContract } from '../kernel/tool.ts'

/** The tools that a definition may name: all of its tenant, regardless of policy. */
export interface KnownTools {
  find(name: string): ToolContract | undefined
  /** For the nearest right name. */
  names(): readonly string[]
}
