import type { Progress } from '../../kernel/call.ts'
import type { CallOutput } from '../../kernel/call-request.ts'
import type { NewEvent } from '../../events/event.ts'
import { createPieceGuard } from '../../secrets/piece-guard.ts'
import type { Redactor } from '../../secrets/redact.ts'
import { boundOutput } from './bound-output.ts'
import { toJsonValue } from './to-json-value.ts'

/** Output of a running tool, on its way to the caller (all of it) and to the log (throttled). */
export interface OutputFeed {
  partial(value: unknown): void
  progress(progress: Progress): void
  /** Sends what is held back. Later output is dropped. */
  end(): void
}

export interface OutputFeedOptions {
  redactor: Redactor
  maxBytes: number
  onOutput: ((output: CallOutput) => void) | undefined
  append(events: readonly NewEvent[]): void
  now(): number
}

/**
 * At most one event in this time, doubling with every hundred, so that a tool that yields without
 * end doesn't fill the disk.
 */
const firstIntervalMs = 100
const eventsPerInterval = 100
const longestIntervalMs = 60_000

/**
 * Every call has a feed and most never use it, so the expensive parts are created with the first
 * output.
 */
export function createOutputFeed(options: OutputFeedOptions): OutputFeed {
  const { redactor, maxBytes, onOutput } = options
  let log: ThinnedLog | undefined
  let text: ReturnType<Redactor['redactStream']> | undefined
  let guardPieces: ReturnType<typeof createPieceGuard> | undefined
  let isEnded = false

  function tell(output: CallOutput): void {
    log ??= createThinnedLog(options)
    log.add(output)
    try {
      onOutput?.(output)
    } catch {
      // A caller that fails to handle updates still gets its result.
    }
  }
  return {
    partial(value) {
      if (isEnded) return
      guardPieces ??= createPieceGuard(redactor)
      const json = redactor.redactPartial(guardPieces(toJsonValue(value).value))
      tell({ partial: boundOutput(json, maxBytes).output })
    },
    progress(progress) {
      if (isEnded) return
      text ??= redactor.redactStream()
      const shown = text.push(typeof progress.text === 'string' ? progress.text : '')
      tell({ progress: cleanProgress(progress, redactor, shown) })
    },
    end() {
      if (isEnded) return
      // The part held back may be most of a secret that was never completed.
      const rest = redactor.redactGrowing(text?.end() ?? '')
      if (rest !== '') tell({ progress: { text: rest } })
      isEnded = true
      log?.flush()
    },
  }
}

function cleanProgress(progress: Progress, redactor: Redactor, text: string): Progress {
  const clean: Progress = {}
  if (Number.isFinite(progress.done)) clean.done = progress.done
  if (Number.isFinite(progress.total)) clean.total = progress.total
  if (typeof progress.message === 'string') {
    // Redacted before it is cut: a cut through a secret would leave part of it unrecognised.
    clean.message = redactor.redactGrowing(progress.message.slice(0, 20_000)).slice(0, 1000)
  }
  if (text !== '') clean.text = text
  return clean
}

interface ThinnedLog {
  add(output: CallOutput): void
  flush(): void
}

/**
 * The share of running text for one event, and for a whole call: beyond it, text reaches only the
 * caller.
 */
const textPerEvent = 16_384
const textPerCall = 1_048_576

/**
 * Keeps the newest of each kind, in order of arrival; text is joined, and recorded up to a limit.
 */
function createThinnedLog({ append, now }: Pick<OutputFeedOptions, 'append' | 'now'>): ThinnedLog {
  const pending = new Map<'partial' | 'progress', CallOutput>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastAt = Number.NEGATIVE_INFINITY
  let written = 0
  let textChars = 0

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (pending.size === 0) return
    const at = now()
    const events = [...pending.values()].map((output): NewEvent => ({
      type: 'call.output',
      at,
      data: structuredClone(output),
    }))
    pending.clear()
    lastAt = performance.now()
    written += events.length
    append(events)
  }
  function withinLimit({ text, ...rest }: Progress): Progress {
    if (text === undefined) return rest
    const room = Math.max(0, textPerCall - textChars)
    textChars += text.length
    return room === 0 ? rest : { ...rest, text: text.slice(0, room) }
  }
  function keep(output: CallOutput): number {
    if ('partial' in output) {
      pending.set('partial', output)
      return 0
    }
    const before = pending.get('progress')
    const known = before !== undefined && 'progress' in before ? before.progress : undefined
    const progress = joinProgress(known, withinLimit(output.progress))
    pending.set('progress', { progress })
    return progress.text?.length ?? 0
  }
  return {
    add(output) {
      const text = keep(output)
      const doublings = Math.floor(written / eventsPerInterval)
      const intervalMs = Math.min(longestIntervalMs, firstIntervalMs * 2 ** doublings)
      const waitMs = intervalMs - (performance.now() - lastAt)
      if (waitMs <= 0 || text >= textPerEvent) flush()
      // Sent after a delay even if nothing follows, so that the last update is not held back.
      else timer ??= setTimeout(flush, waitMs)
    },
    flush,
  }
}

function joinProgress(before: Progress | undefined, next: Progress): Progress {
  if (before?.text === undefined) return { ...before, ...next }
  return { ...before, ...next, text: before.text + (next.text ?? '') }
}
