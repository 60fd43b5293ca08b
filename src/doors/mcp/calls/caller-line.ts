import type { ServerContext } from '@modelcontextprotocol/server'
import type { CallOutput } from '../../../core/kernel/call-request.ts'
import type { CallerClient } from '../../../core/kernel/context/caller-client.ts'

/** How a client hears of its call while a request of its own is open. */
export interface CallerLine {
  log: CallerClient['log']
  /**
   * Sends the tool's progress or partial output; nothing if the client has not asked for progress.
   */
  tell(output: CallOutput): void
  /** Has the client asked for progress? */
  readonly isHeard: boolean
  /** A sign of life with a reason, for a client that waits. */
  say(message: string): void
}

/** This many are sent one by one; then ever fewer, so that a flood fills no buffer. */
const freely = 100
const firstPauseMs = 50
const longestPauseMs = 5_000
const maxMessageChars = 2_000
/** Every notification carries the client's token: a long one would make a flood of one request. */
const maxTokenChars = 256

/** The line of one request. */
export function toLine({ mcpReq }: ServerContext): CallerLine {
  const { _meta: meta } = mcpReq
  const token = toToken(meta?.progressToken)
  const notify = (params: Record<string, unknown>) => {
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken: token, ...params } })
      .catch(() => undefined)
  }
  const progress = createProgress(notify)
  return {
    log({ level, logger, data }) {
      mcpReq.log(level, data, logger).catch(() => undefined)
    },
    isHeard: token !== undefined,
    tell: (output) => (token === undefined ? undefined : progress.tell(output)),
    say: (message) => (token === undefined ? undefined : progress.say(message)),
  }
}

function toToken(given: string | number | undefined): string | number | undefined {
  return typeof given === 'string' && given.length > maxTokenChars ? undefined : given
}

interface ProgressTeller {
  tell(output: CallOutput): void
  say(message: string): void
}

/** The figure has to grow with every notification, whatever the tool counts. */
function createProgress(notify: (params: Record<string, unknown>) => void): ProgressTeller {
  let last = -1
  let count = 0
  let toldAt = 0
  function mayTell(): boolean {
    count += 1
    if (count <= freely) return true
    const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.floor(count / freely))
    return performance.now() - toldAt >= pause
  }
  function send(done: number | undefined, more: Record<string, unknown>): void {
    if (!mayTell()) return
    toldAt = performance.now()
    last = done !== undefined && done > last ? done : last < 0 ? 0 : last + stepFor(last)
    notify({ progress: last, ...more })
  }
  return {
    tell(output) {
      if ('partial' in output) return send(undefined, { message: toMessage(output.partial) })
      const { done, total, message, text } = output.progress
      const said = message ?? text
      send(done, {
        ...(total !== undefined && { total }),
        ...(said !== undefined && { message: said.slice(0, maxMessageChars) }),
      })
    },
    say: (message) => send(undefined, { message }),
  }
}

/** Small beside what a tool counts in, and large enough to be a different number. */
function stepFor(last: number): number {
  return Math.max(0.001, Math.abs(last) * 1e-9)
}

function toMessage(partial: unknown): string {
  const text = typeof partial === 'string' ? partial : JSON.stringify(partial)
  return text.slice(0, maxMessageChars)
}
