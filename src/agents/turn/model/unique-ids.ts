import type { Chunk } from '../ui-parts.ts'

/**
 * Models, and servers that imitate others, use the same id for several calls. Everything about a
 * call refers to its id, so a second one gets another. The first keeps its own.
 */
export function createUniqueIds(taken: ReadonlySet<string>): (chunk: Chunk) => Chunk {
  const used = new Set(taken)
  /** The model's id → our id, for the newest call with it. */
  const current = new Map<string, { id: string; isWhole: boolean }>()

  function enter(id: string): string {
    let unique = id
    for (let number = 2; used.has(unique); number += 1) unique = `${id}_${number}`
    used.add(unique)
    current.set(id, { id: unique, isWhole: false })
    return unique
  }
  return (chunk) => {
    const { toolCallId } = chunk
    if (typeof toolCallId !== 'string') return chunk
    const known = current.get(toolCallId)
    const begins = chunk.type === 'tool-input-start'
    const isInput = chunk.type === 'tool-input-available' || chunk.type === 'tool-input-error'
    const isAnother = begins || (isInput && (known === undefined || known.isWhole))
    // Work that a provider ran before it paused has its result in the next step.
    const id = isAnother ? enter(toolCallId) : (known?.id ?? toolCallId)
    const now = current.get(toolCallId)
    if (isInput && now !== undefined) now.isWhole = true
    return id === toolCallId ? chunk : { ...chunk, toolCallId: id }
  }
}
