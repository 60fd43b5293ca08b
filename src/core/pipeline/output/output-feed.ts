import type { Progress } from '../../kernel/call.ts'
import type { CallOutput } from '../../kernel/call-request.ts'
import type { NewEvent } from '../../events/event.ts'
import { createPieceGuard } from '../../secrets/piece-guard.ts'
import type { Redactor } from '../../secrets/redact.ts'
import type { JsonValue } from '../../kernel/tool.ts'
import { boundOutput } from './bound-output.ts'
import { toJsonValue } from './to-json-value.ts'

/** What a tool reports while it runs, on its way to the caller (all of it) and to the log (thinned out). */
export interface OutputFeed {
  partial(value: unknown): void
  progress(progress: Progress): void
  /** Sends what is held back. Nothing is told after it. */
  end(): void
}

export interface OutputFeedOptions {
  redactor: Redactor
  maxBytes: number
  onOutput: ((output: CallOutput) => void) | undefined
  append(events: readonly NewEvent[]): void
  now(): number
}

/** One event at most in this time, doubling with every hundred, so that an endless yielder fills no disk. */
const firstIntervalMs = 100
const eventsPerInterval = 100
const longestIntervalMs = 60_000

/** Every call has one and most never use it: what costs something is made by the first thing told. */
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
      // A caller that can't take its updates still gets its result.
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
      // What was held back may be most of a secret that never came to its end.
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
    // Redacted before it is cut to size: a cut through a secret would leave the rest of it unknown.
    clean.message = redactor.redactGrowing(progress.message.slice(0, 20_000)).slice(0, 1000)
  }
  if (text !== '') clean.text = text
  return clean
}

interface ThinnedLog {
  add(output: CallOutput): void
  flush(): void
}

/** One event's share of running text, and a whole call's: beyond it, text reaches the caller alone. */
const textPerEvent = 16_384
const textPerCall = 1_048_576

/** The newest of each kind wins, in the order they came; text is joined, and recorded up to a limit. */
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
      data: structuredClone(output) as JsonValue,
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
      // What comes last before a long silence is not held back until the end of it.
      else timer ??= setTimeout(flush, waitMs)
    },
    flush,
  }
}

function joinProgress(before: Progress | undefined, next: Progress): Progress {
  if (before?.text === undefined) return { ...before, ...next }
  return { ...before, ...next, text: before.text + (next.text ?? '') }
}
