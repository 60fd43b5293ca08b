import type { ProcessResult, RunRequest } from '../../../core/kernel/context/processes.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import type { Box, BoxCommand, BoxProcess } from '../driver.ts'
import { readBounded } from './bounded-output.ts'

export interface RunOptions {
  box: Box
  command: BoxCommand
  signal?: AbortSignal | undefined
  /** Called with what runs; the returned function when it has ended. */
  watch?: ((process: BoxProcess) => () => Promise<void>) | undefined
}

/** Between the polite signal and the other. */
export const graceMs = 2000

const usualTimeoutMs = 120_000
const longestTimeoutMs = 3_600_000
const usualOutputBytes = 1024 * 1024
const mostOutputBytes = 64 * 1024 * 1024

/** Runs a command to its end, its deadline, or the end of its call. */
export async function runCommand(
  request: RunRequest,
  { box, command, signal, watch }: RunOptions,
): Promise<ProcessResult> {
  signal?.throwIfAborted()
  const startedAt = performance.now()
  const running = await box.spawn(command)
  const unwatch = watch?.(running)
  const maxBytes = Math.min(request.maxOutputBytes ?? usualOutputBytes, mostOutputBytes)
  const read = (stream: 'stdout' | 'stderr') =>
    readBounded(running[stream], {
      maxBytes,
      onPiece: request.onOutput && ((bytes) => request.onOutput?.({ stream, bytes })),
    })
  const stdout = read('stdout')
  const stderr = read('stderr')
  const closed = Promise.all([closeOf(running.stdout), closeOf(running.stderr)])
  running.stdin.on('error', () => undefined)
  running.stdin.end(request.stdin ?? '')
  const clock = watchClock(running, { ...request, signal })
  try {
    const end = await running.ended
    await closed
    signal?.throwIfAborted()
    return {
      ...end,
      stdout: stdout.bytes(),
      stderr: stderr.bytes(),
      timedOut: clock.isTimedOut(),
      dropped: { stdout: stdout.dropped(), stderr: stderr.dropped() },
      durationMs: Math.round(performance.now() - startedAt),
    }
  } catch (error) {
    if (signal?.aborted === true) throw toReason(signal)
    throw error
  } finally {
    clock.stop()
    await unwatch?.()
  }
}

function closeOf(stream: BoxProcess['stdout']): Promise<void> {
  return new Promise((resolve) => {
    if (stream.closed) resolve()
    else stream.once('close', () => resolve())
  })
}

function toReason(signal: AbortSignal): unknown {
  return signal.reason ?? new ToolError('cancelled', 'The call was cancelled')
}

/** Ends the command at its deadline, or when its call ends. */
function watchClock(
  running: BoxProcess,
  {
    timeoutMs = usualTimeoutMs,
    signal,
  }: Pick<RunRequest, 'timeoutMs'> & { signal?: AbortSignal | undefined },
) {
  const state: { isTimedOut: boolean; hard?: NodeJS.Timeout } = { isTimedOut: false }
  const end = () => {
    running.kill('SIGTERM')
    state.hard ??= setTimeout(() => running.kill('SIGKILL'), graceMs)
  }
  const soft = setTimeout(
    () => {
      state.isTimedOut = true
      end()
    },
    Math.min(Math.max(1, timeoutMs), longestTimeoutMs),
  )
  // Nobody waits for the result, so the command gets no time to end by itself.
  const onAbort = () => running.kill('SIGKILL')
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted === true) onAbort()
  return {
    isTimedOut: () => state.isTimedOut,
    stop() {
      clearTimeout(soft)
      clearTimeout(state.hard)
      signal?.removeEventListener('abort', onAbort)
    },
  }
}
