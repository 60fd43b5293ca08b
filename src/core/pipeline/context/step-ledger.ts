import { isSettled } from '../../call-state.ts'
import type { StoredCall } from '../../call-log.ts'
import type { CallResult } from '../../kernel/call.ts'
import { toCallResult } from '../../kernel/call-result.ts'
import type { StepCalls, StepCall } from '../../kernel/context/step-calls.ts'
import { type ErrorCode, ToolError } from '../../kernel/errors.ts'
import type { RegisteredTool } from '../../registry.ts'
import { raiseFlags } from '../data-flow.ts'
import { mayRunAgain } from '../record/call-facts.ts'
import { recordRefusedStep } from '../record/refused-step.ts'
import { underCurrentRules } from '../under-current-rules.ts'
import { callerNow, type Nesting } from './call-nested.ts'
import { ItemWaits } from './item-waits.ts'
import { isStillOpen, isToBeMadeAgain } from './nested-calls.ts'
import { noSecrets } from './open-secrets.ts'

/** More would be a loop rather than work: each has a record, and all are read when it continues. */
const maxSteps = 10_000
const maxKeyChars = 150

/** Failures of this moment and this server: the run stops, and continues from here later. */
const passing: ReadonlySet<ErrorCode> = new Set([
  'rate_limited',
  'shutting_down',
  'store_unavailable',
  'record_failed',
  'tenant_suspended',
])
const againInMs = 1000

/** After such a pause another node may have taken the call over. Leases and heartbeats are longer. */
const longPauseMs = 1000

/** The recorded calls of a tool with steps when a run of it starts. */
export interface StepsSoFar {
  /** The calls made by earlier runs of this call, if it is resumed. */
  earlier?: readonly StoredCall[]
  /** For a resumed call: the weight of its settled steps when they were read. */
  wakes?: number
  /** The attempt of this run. Default: the first. */
  attempt?: number
  /** By step key: results of the call that this one runs again. */
  kept?: ReadonlyMap<string, StoredCall>
}

/** The calls that a resumable call makes, in this run and in earlier ones. */
export class StepLedger implements StepCalls {
  readonly #from: Nesting
  readonly #earlier = new Map<string, StoredCall>()
  /** Results of the call that this one runs again, in place of the steps. */
  readonly #kept: ReadonlyMap<string, StoredCall>
  /** How often an earlier call under this key was interrupted and has to be made again. */
  readonly #discarded = new Map<string, number>()
  readonly #wakes: number
  readonly #items: ItemWaits
  readonly #attempt: number
  /** When this run was last known to be the current one. */
  #currentAt: number
  #count: number
  #openItems = 0
  #hasOpen: boolean
  #againInMs: number | undefined
  #inProgress = 0
  #goOn: (() => void) | undefined
  #whenIdle: (() => void)[] = []
  /** Inline reads of this run that may not be on disk yet. */
  #reads: string[] = []
  #written: Promise<unknown> = Promise.resolve()

  constructor(
    from: Nesting,
    { earlier = [], wakes = 0, attempt = 1, kept = new Map() }: StepsSoFar,
  ) {
    this.#from = from
    this.#wakes = wakes
    this.#attempt = attempt
    this.#currentAt = from.ports.now()
    this.#kept = kept
    const { tenant } = from.facts.caller
    this.#items = new ItemWaits(from.ports, { tenant, signal: () => from.control.signal })
    this.#count = earlier.length
    this.#hasOpen = earlier.some(({ status }) => !isSettled(status))
    for (const call of earlier) {
      const { stepKey } = call
      if (stepKey === undefined) continue
      if (isToBeMadeAgain(call)) {
        this.#discarded.set(stepKey, (this.#discarded.get(stepKey) ?? 0) + 1)
      } else {
        // Of an inline read there may be two: of a node that was frozen, recorded late, and of the
        // one that took over. Steps with effects rest on the later one.
        this.#earlier.set(stepKey, call)
      }
    }
  }

  get earlier(): StepCalls['earlier'] {
    const times = [...this.#earlier].map(([key, { settledAt }]) => {
      const time = settledAt === undefined ? undefined : Date.parse(settledAt)
      return [key, { settledAt: time }] as const
    })
    return new Map(times)
  }

  busy(): () => void {
    return this.#from.nested.enter()
  }

  get requestedAt(): number {
    return this.#from.facts.requestedAt
  }

  now(): number {
    return this.#from.ports.now()
  }

  /** A call may still be open when this one ends. */
  get hasOpen(): boolean {
    return this.#hasOpen
  }

  /** Set if the run has to stop although nothing will wake it: it continues after this time. */
  get againInMs(): number | undefined {
    return this.#againInMs
  }

  /**
   * The wakes with which the call continues. Of many open items it waits for half, so that a list
   * of a thousand is not read again for each.
   */
  get wakeAt(): number {
    return this.#wakes + this.#items.settled + Math.max(1, Math.ceil(this.#openItems / 2))
  }

  async call(step: StepCall): Promise<CallResult> {
    const { control, nested, ports } = this.#from
    if (control.isOver) throw control.reason ?? ended()
    if (nested.mismatch !== undefined) throw nested.mismatch
    const known = this.#earlier.get(step.key)
    const kept = known === undefined ? this.#kept.get(step.key) : undefined
    // Taken as it is: the input of the call may be another one this time.
    if (kept !== undefined) return toCallResult(kept)
    const digest = ports.calls.digestInput([step.tool, step.input])
    if (known === undefined) return this.#make(step, digest)
    if (known.askedDigest !== digest) throw nested.diverge(diverged(step, known))
    if (isSettled(known.status)) return toCallResult(known)
    const leave = this.#enter()
    const end = await this.#awaitOpen(step, known).finally(leave)
    return end ?? this.#from.nested.suspend()
  }

  async start({ key, tool, input }: Parameters<StepCalls['start']>[0]): Promise<CallResult> {
    const { facts, ports, request, sensitive } = this.#from
    const { shield, isTrial } = request
    return ports.callTool({
      // Without effects, work that would outlive this call is not started either.
      ...(shield !== undefined && { shield, depth: 1 }),
      isTrial,
      tool,
      input,
      caller: await callerNow(this.#from),
      // Its input may hold what this chain has read, and its secrets.
      rootId: request.rootId ?? facts.callId,
      secrets: sensitive === noSecrets ? undefined : sensitive,
      idempotencyKey: `${facts.callId}/${key}`,
      respondAsync: true,
    })
  }

  idle(): Promise<void> {
    if (this.#inProgress === 0) return Promise.resolve()
    return new Promise((resolve) => this.#whenIdle.push(resolve))
  }

  async #make(step: StepCall, digest: string): Promise<CallResult> {
    this.#check(step)
    const leave = this.#enter()
    const made = await this.#callOnce(step, digest).finally(leave)
    return made ?? this.#from.nested.suspend()
  }

  /** Undefined if the run has to wait for it. */
  async #callOnce(step: StepCall, digest: string): Promise<CallResult | undefined> {
    const { facts, nested, ports } = this.#from
    if (facts.flow !== undefined) await raiseFlags(facts, ports)
    const result = await this.#callTool(step, digest)
    if (result.error?.code === 'idempotency_mismatch') throw nested.diverge(takenOtherwise(step))
    if (this.#isPassing(result)) return undefined
    if (isStillOpen(result)) return this.#awaitOpen(step, result)
    const { callId, error } = result
    if (callId !== undefined) this.#reads.push(callId)
    // The output that a trial is given in place of a call is not recorded.
    else if (error !== undefined && this.#from.request.shield === undefined) {
      this.#reads.push(recordRefusedStep(this.#from, step, { digest, error }))
    }
    return result
  }

  #check({ key, tool }: StepCall): void {
    if (key.length > maxKeyChars) {
      throw new ToolError(
        'tool_failed',
        `The key of a step has more than ${maxKeyChars} characters`,
      )
    }
    this.#count += 1
    if (this.#count <= maxSteps) return
    throw new ToolError('quota_exceeded', `${tool} would be call ${this.#count} of this one`, {
      fix: `One call makes at most ${maxSteps} others: start a second one for the rest.`,
    })
  }

  async #callTool(step: StepCall, digest: string): Promise<CallResult> {
    const pinned = await this.#findPinned(step)
    if (pinned instanceof ToolError) return { status: 'failed', error: toFailure(pinned) }
    const { facts, control, request, sensitive, client, ports } = this.#from
    const { callId } = facts
    const discarded = this.#discarded.get(step.key) ?? 0
    const again = discarded === 0 ? '' : `!${discarded}`
    return ports.callTool({
      tool: step.tool,
      input: step.input,
      caller: await callerNow(this.#from),
      parentId: callId,
      rootId: request.rootId ?? callId,
      askedDigest: digest,
      step: {
        key: step.key,
        idempotencyKey: `${callId}/${step.key}${again}`,
        isItem: step.isItem === true,
        ...(step.itemCount !== undefined && { itemCount: step.itemCount }),
        barrier: () => this.#barrier(),
      },
      ...(pinned && { candidate: pinned }),
      ...(step.startAt !== undefined && { startAt: step.startAt }),
      depth: (request.depth ?? 0) + 1,
      mayWait: this.mayWait,
      heldBy: request.heldBy,
      // Not bounded by the time left: the step may outlive this run, and the signal ends it here.
      timeoutMs: step.timeoutMs,
      signal: control.signal,
      secrets: sensitive === noSecrets ? undefined : sensitive,
      held: request.held,
      shield: request.shield,
      isTrial: request.isTrial,
      client,
    })
  }

  get mayWait(): boolean {
    return this.#from.request.mayWait !== false && mayRunAgain(this.#from.facts)
  }

  /** Undefined for the current version, whose rules apply to an earlier one as well. */
  async #findPinned({ tool, version }: StepCall): Promise<RegisteredTool | ToolError | undefined> {
    if (version === undefined) return undefined
    const { facts, ports } = this.#from
    const { tenant } = facts.caller
    const found = await ports.findVersion(tenant, tool, version)
    if (found !== undefined) return underCurrentRules(found, ports.registry.find(tool, tenant))
    return new ToolError('tool_not_found', `There is no version ${version} of ${tool}`)
  }

  /**
   * Before a step is stored: this call, and the results it may rest on. A read that is made again
   * after a crash could otherwise differ from what the step was given.
   */
  async #barrier(): Promise<void> {
    const { facts, ports } = this.#from
    await this.#assertCurrent()
    const reads = this.#reads
    this.#reads = []
    const ids = [facts.callId, ...reads]
    this.#written = Promise.all([this.#written, ...ids.map((id) => ports.recorder.ensure(id))])
    await this.#written
  }

  /**
   * A node that was frozen continues with reads that nobody has seen. Had another node taken over, a
   * step that rests on them would contradict its steps.
   */
  async #assertCurrent(): Promise<void> {
    const { facts, ports, nested } = this.#from
    const now = ports.now()
    if (now - this.#currentAt < longPauseMs) return
    this.#currentAt = now
    const record = await ports.calls.find(facts.caller.tenant, facts.callId)
    const isCurrent = record === undefined || record.attempt === this.#attempt
    if (!isCurrent || record?.settledAt !== undefined) throw nested.diverge(takenOver())
  }

  #isPassing({ status, error }: CallResult): boolean {
    if (status !== 'failed' || error === undefined || !this.mayWait) return false
    if (!passing.has(error.code)) return false
    this.#againInMs = Math.max(this.#againInMs ?? 0, error.retryAfterMs ?? againInMs)
    return true
  }

  /** Undefined if the run has to stop until it has ended. */
  async #awaitOpen(
    { isItem }: StepCall,
    { callId, status }: CallResult,
  ): Promise<CallResult | undefined> {
    const isQueued = isItem === true && status !== 'waiting'
    // Where running calls are limited, the items need the place of this one.
    const mayStay = isQueued && (this.#from.request.held?.size ?? 0) === 0
    const end = mayStay && callId !== undefined ? await this.#items.wait(callId) : undefined
    if (end !== undefined) return end
    this.#hasOpen = true
    if (isQueued) this.#openItems += 1
    return undefined
  }

  /** Stops the clock of this call while a step runs: the step has its own time limit. */
  #enter(): () => void {
    const { control, nested } = this.#from
    const leave = nested.enter()
    this.#inProgress += 1
    this.#goOn ??= control.hold()
    return () => {
      this.#inProgress -= 1
      if (this.#inProgress === 0) {
        this.#goOn?.()
        this.#goOn = undefined
        for (const resolve of this.#whenIdle.splice(0)) resolve()
      }
      leave()
    }
  }
}

function ended(): ToolError {
  return new ToolError('cancelled', 'The call that made this one has ended')
}

function takenOver(): ToolError {
  return new ToolError('replay_diverged', 'Another server has taken this call over')
}

function toFailure({ code, message, retryable }: ToolError) {
  return { code, message, retryable }
}

const fix =
  'A call that continues must make the same steps with the same input; start it again to use the new ones.'

function diverged({ key, tool }: StepCall, known: StoredCall): ToolError {
  const message =
    known.tool === tool
      ? `When it continued, step ${key} called ${tool} with different input than before`
      : `When it continued, step ${key} called ${tool} where it had called ${known.tool} before`
  return new ToolError('replay_diverged', message, { fix, details: { callId: known.callId } })
}

function takenOtherwise({ key, tool }: StepCall): ToolError {
  const message = `Step ${key} has been made elsewhere, with different input for ${tool}`
  return new ToolError('replay_diverged', message, { fix })
}
