import type { Operation } from './operation.ts'

/** The commands of a feature: `toolcrib schedules …`. */
export interface CommandGroup {
  name: string
  /** What one of them is called: `schedule`. */
  one: string
  summary: string
  operations: Readonly<Record<string, Operation>>
  /** Sentences that help shows after the options. */
  notes?: readonly string[]
  examples?: readonly string[]
}
