import { durableWork } from './migrations/durable-work.ts'
import { flows } from './migrations/flows.ts'
import { foundation } from './migrations/foundation.ts'
import { governance } from './migrations/governance.ts'

/**
 * Every step the schema ever took, in order. Append only: a published step is never changed.
 * PGlite takes one statement at a time, so a step is a list of statements.
 */
export const migrations: Readonly<Record<string, readonly string[]>> = {
  ...foundation,
  ...durableWork,
  ...governance,
  ...flows,
}
