import type { ServerLog } from './server-log.ts'

/** Keeps the process alive after errors that nobody awaits, and counts them. */
export interface StrayErrors {
  /** Until then, only errors of tools are caught: an error during the start must end it. */
  serving(): void
  /** The counter as Prometheus text. */
  metrics(): string
  stop(): void
}

type Kind = 'rejection' | 'exception'

const messages: Record<Kind, string> = {
  rejection: 'Unhandled promise rejection; the server continues',
  exception:
    'An uncaught error outside of every call; the server continues, but its state may be damaged: restart it when you can',
}

/** A tool's unhandled promise or timer must not end the command, or the server for everybody. */
export function catchStrayErrors(log: Pick<ServerLog, 'error'>): StrayErrors {
  const counts: Record<Kind, number> = { rejection: 0, exception: 0 }
  let isServing = false
  const note = (kind: Kind, error: unknown) => {
    if (!isServing && !isFromTool(error)) return end(error)
    counts[kind] += 1
    // Logging that the log has failed would never end.
    if (isLostOutput(error)) return
    const message = isServing ? messages[kind] : 'A tool file left an error that nothing caught'
    log.error(message, { kind, stack: describeError(error) })
  }
  const onRejection = (reason: unknown) => note('rejection', reason)
  const onException = (error: unknown) => note('exception', error)
  const stop = () => {
    process.off('unhandledRejection', onRejection)
    process.off('uncaughtException', onException)
  }
  // Thrown outside of the listener: Node then reports it as usual.
  const end = (error: unknown) => {
    stop()
    setImmediate(() => {
      throw error
    })
  }
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onException)
  return {
    serving: () => void (isServing = true),
    metrics: () =>
      [
        '# HELP toolcrib_stray_errors_total Errors that no call caught, by kind',
        '# TYPE toolcrib_stray_errors_total counter',
        ...Object.entries(counts).map(
          ([kind, count]) => `toolcrib_stray_errors_total{kind="${kind}"} ${count}`,
        ),
        '',
      ].join('\n'),
    stop,
  }
}

/**
 * Tool modules have their reload number in their address. A failed connection that nobody awaits
 * has no module in its stack at all; our own are awaited.
 */
function isFromTool(error: unknown): boolean {
  const stack = describeError(error)
  return /[?&]crib=\d/.test(stack) || !stack.includes('file:')
}

/** A failure without a code is a bug: its stack is logged. Never throws itself. */
export function describeError(error: unknown): string {
  try {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  } catch {
    return 'a value that can not be shown'
  }
}

function isLostOutput(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'EPIPE'
}
