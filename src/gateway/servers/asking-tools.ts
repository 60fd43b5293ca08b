import type { AskingTools } from '../calls/call-frame.ts'

export interface KnownAskingTools extends AskingTools {
  has(tool: string): boolean
  /** It ran alone and asked nothing, so it was another one that did. */
  clear(tool: string): void
}

/** Certain knowledge is stored beyond the life of a process. */
export interface LearnedTools {
  has(tool: string): boolean
  add(tool: string): void
}

/** Which tools of a server ask their callers, as far as it has been seen. */
export function createAskingTools(learned: LearnedTools): KnownAskingTools {
  const suspected = new Set<string>()
  return {
    has: (tool) => learned.has(tool) || suspected.has(tool),
    learn(tool) {
      learned.add(tool)
      suspected.delete(tool)
    },
    suspect: (tool) => void (learned.has(tool) || suspected.add(tool)),
    clear: (tool) => void suspected.delete(tool),
  }
}
