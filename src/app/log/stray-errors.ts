import type { ServerLog } from './server-log.ts'

/** Keeps the process alive through errors that nobody awaits, and counts them. */
export interface StrayErrors {
  /** The counter as Prometheus text. */
  metrics(): string
  stop(): void
}

type Kind = 'rejection' | 'exception'

/**
 * A tool's forgotten promise or timer must not take the server from everybody else. For use while
 * serving only: an error of the start has to end it.
 */
export function catchStrayErrors(log: Pick<ServerLog, 'error'>): StrayErrors {
  const counts: Record<Kind, number> = { rejection: 0, exception: 0 }
  const note = (kind: Kind, error: unknown, what: string) => {
    counts[kind] += 1
    // Saying that the log is gone to the log would go on for ever.
    if (!isLostOutput(error)) log.error(what, { kind, stack: describeError(error) })
  }
  const onRejection = (reason: unknown) =>
    note('rejection', reason, 'A promise that nobody awaits was rejected; the server goes on')
  const onException = (error: unknown) =>
    note(
      'exception',
      error,
      'An error outside of every call was not caught; the server goes on, but its state may be damaged: restart it when you can',
    )
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onException)
  return {
    metrics: () =>
      [
        '# HELP toolcrib_stray_errors_total Errors that no call caught, by kind',
        '# TYPE toolcrib_stray_errors_total counter',
        ...Object.entries(counts).map(
          ([kind, count]) => `toolcrib_stray_errors_total{kind="${kind}"} ${count}`,
        ),
        '',
      ].join('\n'),
    stop() {
      process.off('unhandledRejection', onRejection)
      process.off('uncaughtException', onException)
    },
  }
}

/** A failure without a code is a bug: the log gets its stack. Never throws, whatever was thrown. */
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
