import type { EventPayloads } from '../events/event.ts'
import type { BudgetMeasure } from './limit.ts'
import { type Budgets, createBudgets, msUntilNewBudget } from './budgets.ts'
import { budgetMeasures, type LimitMeasure } from './limit.ts'
import { type AppliedLimit, type LimitedCall, measuresOf } from './limit-set.ts'
import type { LimitCount, LimitStore, NoticePeriod } from './limit-store.ts'
import { RatePermits } from './rate-permits.ts'
import { Places } from './places.ts'
import { closedLimit, limitReached } from './refusals.ts'
import { createReturns, type Returns } from './returns.ts'
import type { EnteringCall, Limiter, Permit, RefusalListener, RefusedRequest } from './permit.ts'
import { type UsageOf, type UsageTotals, toUsageOf } from './usage-totals.ts'

export interface LimiterOptions {
  /** The time that decides when a day or a month starts: the database's. */
  now(): number
  store: LimitStore
  totals: UsageTotals
  onRefused?: RefusalListener
  onWarning(message: string): void
}

/** The limits of this node: in memory, shared with other nodes through the store. */
export interface NodeLimiter extends Limiter {
  /** Releases unused permits; called periodically. */
  tick(): Promise<void>
  /** Number of subjects in memory. */
  size(): number
  close(): Promise<void>
}

interface Parts {
  permits: RatePermits
  places: Places
  budgets: Budgets
  options: LimiterOptions
  /** Until when this node does not report a limit again, by count and measure. */
  told: Map<string, number>
  returns: Returns
  /** Until when requests that would be counted here are refused unchecked. */
  blocked: Map<string, { until: number; retryAt: number }>
}

const toldAtMost = 10_000
const placeRetryMs = 1000
const blockedForMs = 500
const blockedAtMost = 10_000

export function createLimiter(options: LimiterOptions): NodeLimiter {
  const { now, store, totals, onWarning } = options
  const parts: Parts = {
    permits: new RatePermits(store),
    places: new Places(store, onWarning),
    budgets: createBudgets(totals, now),
    options,
    told: new Map(),
    returns: createReturns(),
    blocked: new Map(),
  }
  return {
    async enter(call) {
      const applied = call.limits.find(call)
      return applied.length === 0 ? undefined : enter(applied, call, parts)
    },
    refuseImpossible(call) {
      if (!call.limits.hasImpossible) return
      for (const one of call.limits.find(call)) {
        if (one.rule.closed !== undefined) throw closedLimit(one.rule)
        for (const [measure, most] of measuresOf(one.rule)) {
          if (most === 0) refuse({ applied: one, measure, most }, call, parts)
        }
      }
    },
    countRefused: (request) => countRefused(request, parts),
    refuseBlocked: (request) => refuseBlocked(request, parts),
    returnInMs: (tenant, error) => parts.returns.next(tenant, error),
    async tick() {
      parts.budgets.tick()
      await parts.permits.tick()
      await parts.places.tick()
    },
    size: () => parts.permits.size + parts.places.size + parts.budgets.size(),
    async close() {
      await parts.permits.close()
      await parts.places.flush()
    },
  }
}

/** Budgets first, which take nothing; then a call per minute of each limit, then a slot. */
async function enter(
  applied: readonly AppliedLimit[],
  call: EnteringCall,
  parts: Parts,
): Promise<Permit> {
  const undo: (() => void)[] = []
  const leave: (() => void)[] = []
  const held = new Set(call.held)
  try {
    const spenders = await checkBudgets(applied, call, parts)
    for (const one of call.isModel === true ? [] : applied) {
      if (call.isAgain !== true) await takeRatePermit(one, { call, parts, undo })
      await takePlace(one, { call, parts, leave, held })
    }
    return toPermit({ undo, leave, held }, (spent) => {
      for (const of of spenders) parts.budgets.add(call.caller.tenant, of, spent)
    })
  } catch (error) {
    for (const giveBack of [...undo, ...leave]) giveBack()
    throw error
  }
}

async function countRefused(request: RefusedRequest, parts: Parts): Promise<void> {
  for (const applied of appliedTo(request)) {
    const most = applied.rule.spec.callsPerMinute
    if (most === undefined || applied.rule.closed !== undefined) continue
    const result = await parts.permits.take(toCount(applied, request), most)
    if (result.kind === 'taken') continue
    block(applied, request, { parts, retryAfterMs: result.retryAfterMs ?? blockedForMs })
    refuse({ applied, measure: 'callsPerMinute', most, ...result }, request, parts)
  }
}

function block(
  applied: AppliedLimit,
  request: RefusedRequest,
  { parts, retryAfterMs }: { parts: Parts; retryAfterMs: number },
): void {
  const { blocked } = parts
  const at = performance.now()
  if (blocked.size >= blockedAtMost) blocked.delete(blocked.keys().next().value ?? '')
  blocked.set(keyOf(toCount(applied, request)), {
    until: at + Math.min(blockedForMs, retryAfterMs),
    retryAt: at + retryAfterMs,
  })
}

function refuseBlocked(request: RefusedRequest, parts: Parts): void {
  const { blocked } = parts
  if (blocked.size === 0) return
  const at = performance.now()
  for (const applied of appliedTo(request)) {
    const key = keyOf(toCount(applied, request))
    const known = blocked.get(key)
    if (known === undefined) continue
    if (at >= known.until) blocked.delete(key)
    const most = applied.rule.spec.callsPerMinute
    if (at >= known.until || most === undefined) continue
    const retryAfterMs = Math.ceil(known.retryAt - at)
    refuse({ applied, measure: 'callsPerMinute', most, retryAfterMs }, request, parts)
  }
}

function appliedTo({ limits, tool, caller }: RefusedRequest): AppliedLimit[] {
  return tool === undefined ? limits.findFor(caller) : limits.find({ tool, caller })
}

function toPermit(
  taken: { undo: (() => void)[]; leave: (() => void)[]; held: ReadonlySet<string> },
  spend: Permit['spend'],
): Permit {
  let hasBegun = false
  return {
    held: taken.held,
    begin: () => void (hasBegun = true),
    spend,
    leave() {
      for (const giveBack of taken.leave.splice(0)) giveBack()
      for (const giveBack of taken.undo.splice(0)) if (!hasBegun) giveBack()
    },
  }
}

interface Taking {
  call: EnteringCall
  parts: Parts
}

async function takeRatePermit(
  applied: AppliedLimit,
  { call, parts, undo }: Taking & { undo: (() => void)[] },
): Promise<void> {
  const most = applied.rule.spec.callsPerMinute
  if (most === undefined) return
  const result = await parts.permits.take(toCount(applied, call), most)
  if (result.kind === 'taken') undo.push(result.undo)
  else refuse({ applied, measure: 'callsPerMinute', most, ...result }, call, parts)
}

async function takePlace(
  applied: AppliedLimit,
  { call, parts, leave, held }: Taking & { leave: (() => void)[]; held: Set<string> },
): Promise<void> {
  const most = applied.rule.spec.concurrent
  if (most === undefined) return
  const key = `${applied.rule.key} ${applied.subject}`
  // A tool that calls another would otherwise wait for the slot it holds itself.
  if (held.has(key) && most > 0) return
  const giveBack = await parts.places.take(toCount(applied, call), most)
  if (giveBack === undefined) {
    const retryAfterMs = most === 0 ? undefined : placeRetryMs
    return refuse({ applied, measure: 'concurrent', most, retryAfterMs }, call, parts)
  }
  held.add(key)
  leave.push(giveBack)
}

/** Throws if one is used up. Returns the subjects whose figures this call will add to. */
async function checkBudgets(
  applied: readonly AppliedLimit[],
  call: EnteringCall,
  parts: Parts,
): Promise<UsageOf[]> {
  const spenders = new Map<string, UsageOf>()
  for (const one of applied) {
    if (one.rule.closed !== undefined) throw closedLimit(one.rule)
    const { spec } = one.rule
    if (budgetMeasures.every((measure) => spec[measure] === undefined)) continue
    const of = toUsageOf(spec.of, one.subject.slice(spec.of.length + 1))
    const needsMonth = spec.costPerMonth !== undefined
    const spent = await parts.budgets.spent(call.caller.tenant, of, needsMonth)
    spenders.set(`${of.kind} ${of.id}`, of)
    for (const measure of budgetMeasures) {
      const most = spec[measure]
      if (most === undefined || spent[measure] < most) continue
      const retryAfterMs = most === 0 ? undefined : msUntilNewBudget(measure, parts.options.now())
      refuse({ applied: one, measure, most, retryAfterMs }, call, parts)
    }
  }
  return [...spenders.values()]
}

interface Refusal {
  applied: AppliedLimit
  measure: LimitMeasure
  most: number
  retryAfterMs?: number
}

/** The caller of a request, and its tool, if it exists. */
type Counted = Pick<LimitedCall, 'caller'> & { tool: LimitedCall['tool'] | undefined }

function refuse(refusal: Refusal, call: Counted, parts: Parts): never {
  const { applied, measure } = refusal
  parts.options.onRefused?.(measure, applied)
  tell(refusal, call, parts)
  throw limitReached(applied, refusal)
}

const periodOf: Readonly<Record<LimitMeasure, NoticePeriod>> = {
  callsPerMinute: 'minute',
  concurrent: 'minute',
  outputBytesPerDay: 'day',
  costPerDay: 'day',
  costPerMonth: 'month',
}

/** Once per period, across all nodes. Nobody waits for it: the refusal does not depend on it. */
function tell({ applied, measure, most }: Refusal, call: Counted, parts: Parts): void {
  const { now, store, onWarning } = parts.options
  const { told } = parts
  const of = toCount(applied, call)
  const key = `${measure}\n${keyOf(of)}`
  const at = now()
  if (at < (told.get(key) ?? 0)) return
  const period = periodOf[measure]
  told.set(key, at + (period === 'minute' ? 60_000 - (at % 60_000) : untilNext(measure, at)))
  if (told.size > toldAtMost) told.delete(told.keys().next().value ?? '')
  const { rule, subject } = applied
  const data: EventPayloads['limit.reached'] = {
    limit: rule.name,
    subject,
    measure,
    most,
    setBy: rule.setBy,
  }
  if (call.tool !== undefined) data.tool = call.tool.name
  store
    .tellOnce({ ...of, measure }, period, {
      principal: { kind: 'system', id: 'limits' },
      event: { type: 'limit.reached', at, data },
    })
    .catch((error: unknown) => {
      told.delete(key)
      onWarning(`The event for a reached limit could not be recorded: ${String(error)}`)
    })
}

function untilNext(measure: LimitMeasure, at: number): number {
  return msUntilNewBudget(measure as BudgetMeasure, at)
}

function toCount(
  { rule, subject }: AppliedLimit,
  { caller }: Pick<LimitedCall, 'caller'>,
): LimitCount {
  return { tenant: caller.tenant, limit: rule.key, subject }
}

function keyOf({ tenant, limit, subject }: LimitCount): string {
  return `${tenant}\n${limit}\n${subject}`
}
