import type { ClientRequest } from '../../../core/client/caller-client.ts'
import type { ToolError } from '../../../core/errors.ts'
import type { JsonValue } from '../../../core/tool.ts'
import { isAnswer } from './client-abilities.ts'

/** Questions to a client that have no answer yet, by their keys. */
export interface Questions {
  raise(key: string, request: ClientRequest): Promise<JsonValue>
  list(): Record<string, ClientRequest>
  /** Takes what fits an open question and leaves the rest. */
  answer(responses: Readonly<Record<string, unknown>>): void
  rejectAll(reason: ToolError): void
  /** Resolves when there is one. */
  any(): Promise<void>
}

interface Question {
  request: ClientRequest
  resolve(answer: JsonValue): void
  reject(error: ToolError): void
}

/** An empty list. */
export function createQuestions(): Questions {
  const open = new Map<string, Question>()
  let raised = Promise.withResolvers<void>()
  return {
    raise(key, request) {
      const { promise, resolve, reject } = Promise.withResolvers<JsonValue>()
      open.set(freeKey(open, key), { request, resolve, reject })
      raised.resolve()
      return promise
    },
    list: () => Object.fromEntries([...open].map(([key, { request }]) => [key, request] as const)),
    answer(responses) {
      for (const [key, question] of open) {
        const answer = Object.hasOwn(responses, key) ? responses[key] : undefined
        if (!isAnswer(question.request, answer)) continue
        open.delete(key)
        question.resolve(answer as JsonValue)
      }
      if (open.size === 0) raised = Promise.withResolvers<void>()
    },
    rejectAll(reason) {
      for (const question of open.values()) question.reject(reason)
      open.clear()
    },
    any: () => (open.size > 0 ? Promise.resolve() : raised.promise),
  }
}

/** Two questions of one tool may have the same key. */
function freeKey(open: ReadonlyMap<string, unknown>, key: string): string {
  let free = key
  for (let number = 2; open.has(free); number += 1) free = `${key}_${number}`
  return free
}
