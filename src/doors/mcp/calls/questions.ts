import type { ClientRequest } from '../../../core/kernel/context/caller-client.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { JsonValue } from '../../../core/kernel/tool.ts'
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
  timer: NodeJS.Timeout
  resolve(answer: JsonValue): void
  reject(error: ToolError): void
}

/**
 * An empty list. A question that has waited for `askMs` fails, so that its tool does not hold
 * resources for ever.
 */
export function createQuestions(askMs: number): Questions {
  const open = new Map<string, Question>()
  let raised = Promise.withResolvers<void>()
  function close(key: string): void {
    clearTimeout(open.get(key)?.timer)
    open.delete(key)
    if (open.size === 0) raised = Promise.withResolvers<void>()
  }
  return {
    raise(asked, request) {
      const { promise, resolve, reject } = Promise.withResolvers<JsonValue>()
      const key = freeKey(open, asked)
      const timer = setTimeout(() => {
        close(key)
        reject(tooLate(askMs))
      }, askMs)
      timer.unref()
      open.set(key, { request, timer, resolve, reject })
      raised.resolve()
      return promise
    },
    list: () => Object.fromEntries([...open].map(([key, { request }]) => [key, request] as const)),
    answer(responses) {
      for (const [key, question] of open) {
        const answer = Object.hasOwn(responses, key) ? responses[key] : undefined
        if (!isAnswer(question.request, answer)) continue
        close(key)
        question.resolve(answer as JsonValue)
      }
    },
    rejectAll(reason) {
      for (const [key, question] of open) {
        close(key)
        question.reject(reason)
      }
    },
    any: () => (open.size > 0 ? Promise.resolve() : raised.promise),
  }
}

function tooLate(askMs: number): ToolError {
  return new ToolError('client_unable', `The client did not answer within ${askMs / 1000} s`)
}

/** Two questions of one tool may have the same key. */
function freeKey(open: ReadonlyMap<string, unknown>, key: string): string {
  let free = key
  for (let number = 2; open.has(free); number += 1) free = `${key}_${number}`
  return free
}
