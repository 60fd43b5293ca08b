import type { CallResult } from '../call.ts'
import type { JsonValue } from '../json.ts'

/** A call that a resumable tool makes. */
export interface StepCall {
  /**
   * Names the call among all that the tool makes, the same in every run: `find`, `notes/3`. At most
   * 150 characters.
   */
  key: string
  tool: string
  input: JsonValue
  /** The version of the tool to call; default: the current one. */
  version?: string | undefined
  timeoutMs?: number | undefined
  /** The earliest start, in milliseconds since the epoch. */
  startAt?: number | undefined
  /** One of many: the tool need not be continued for each of them. */
  isItem?: boolean
  /** For one of many: how many there are. */
  itemCount?: number | undefined
}

/**
 * The third argument of a resumable tool: calls that are found again by their key. The tool is run
 * from the beginning whenever it continues, after a wait or a crash. A call that has settled gives
 * its recorded result; one that is still open is waited for; neither is made again.
 */
export interface StepCalls {
  /** When the tool was called, by the clock of the record: the same in every run. */
  readonly requestedAt: number
  /** The time by the same clock. Differs in every run: only for `startAt`. */
  now(): number
  /**
   * The calls of earlier runs, by their key; without a time they are still open. Left out are those
   * that will be made again.
   */
  readonly earlier: ReadonlyMap<string, { settledAt: number | undefined }>
  /** False if a tool above can't be stopped, so that no step may wait. */
  readonly mayWait: boolean
  /**
   * Resolves with the result once the call has settled, also if it failed. While it waits for a
   * person, an outside worker or the queue, the promise stays pending: the run ends when nothing
   * else is in progress, and the tool is run again later.
   */
  call(step: StepCall): Promise<CallResult>
  /**
   * Starts a call of its own, which runs on when this one ends. Once, also if this one is run again
   * after a crash. Resolves when it is stored.
   */
  start(step: Pick<StepCall, 'key' | 'tool' | 'input'>): Promise<CallResult>
  /**
   * For a tool that computes in another thread: until the returned function is called, the run does
   * not end to wait.
   */
  busy(): () => void
  /** Resolves when none of its calls is in progress here. Open ones may still wait. */
  idle(): Promise<void>
}
