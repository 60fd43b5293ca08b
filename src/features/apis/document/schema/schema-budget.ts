import { schemaBounds } from '../../../../core/schema/document/check-bounds.ts'

/** How much of a schema may still be written, so that the whole stays within the bounds of a tool. */
export interface SchemaBudget {
  /** True while one more schema fits. */
  take(bytes: number): boolean
  /** True once nothing more fits. */
  isFull(): boolean
  /** Room for the words of people; they go first. */
  hasRoomForWords(): boolean
  patternFits(pattern: string): boolean
  /** Something was left out. */
  isShortened: boolean
}

/**
 * Of the bounds of a tool. Inputs leave some room for what stands in for the rest. An output only
 * describes, and documents in which everything refers to everything would fill the bounds each time.
 */
const shares = { input: 0.85, output: 0.2 }

export function createBudget(direction: keyof typeof shares): SchemaBudget {
  const share = shares[direction]
  const mostBytes = schemaBounds.maxBytes * share
  const mostSchemas = schemaBounds.maxSubschemas * share
  let bytes = 0
  let schemas = 0
  let patternChars = 0
  return {
    isShortened: false,
    take(more) {
      if (schemas + 1 > mostSchemas || bytes + more > mostBytes) {
        this.isShortened = true
        return false
      }
      schemas += 1
      bytes += more
      return true
    },
    isFull: () => schemas + 1 > mostSchemas || bytes > mostBytes - 200,
    hasRoomForWords: () => bytes < mostBytes / 2,
    patternFits(pattern) {
      patternChars += pattern.length
      return patternChars <= schemaBounds.maxPatternChars
    },
  }
}
