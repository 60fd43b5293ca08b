import type { JsonSchema } from '../kernel/json.ts'
import { findNearest } from '../patterns/nearest-name.ts'
import type { KnownTools } from '../sources/known-tools.ts'

/** The surroundings in which a composition has to make sense. */
export interface CheckedAgainst {
  inputSchema: JsonSchema | undefined
  known: KnownTools
  /** Its own name: a composition can't be a step of itself. */
  name?: string | undefined
  /** The tools that another composition calls; empty for any other tool. */
  usesOf?: ((tool: string) => readonly string[]) | undefined
  /** Tools that are not known may be added later: for definitions in code. */
  isOpen?: boolean
}

/** The end of a message about a name that is not known. */
export function hint(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known)
  return nearest === undefined ? '' : `; did you mean ${nearest}?`
}
