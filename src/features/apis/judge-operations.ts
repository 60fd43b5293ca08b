import { compileGlob } from '../../core/kernel/text/glob.ts'
import type { Effect } from '../../core/kernel/tool.ts'
import type { ApiListing, ListedOperation } from './listing.ts'
import { effectOf } from './model.ts'
import type { ApiSpec } from './spec.ts'

/** An operation with the verdict of settings and people. */
export interface JudgedOperation extends ListedOperation {
  state: 'ready' | 'quarantined' | 'left out'
  /** Why it is not in use. */
  reason?: string
  effect: Effect
  effectBy: 'verb' | 'operator'
  /** It is seen for the first time and may be used. */
  isNew: boolean
}

type Judging = Pick<ApiSpec, 'include' | 'exclude' | 'effects' | 'pin'>

/** Decides about every operation of a listing. */
export function judgeOperations(
  { operations, pins }: Pick<ApiListing, 'operations' | 'pins'>,
  spec: Judging,
): JudgedOperation[] {
  const isLeftOut = toFilter(spec)
  const effectFor = toEffects(spec.effects)
  return operations.map((operation) => {
    const facts = { ...operation, ...effectFor(operation), isNew: false }
    const why = isLeftOut(operation)
    if (why !== undefined) return { ...facts, state: 'left out', reason: why }
    if (operation.fault !== undefined) {
      return { ...facts, state: 'quarantined', reason: operation.fault }
    }
    if (!spec.pin) return { ...facts, state: 'ready' }
    const pin = Object.hasOwn(pins, operation.name) ? pins[operation.name] : undefined
    if (pin?.hash === operation.hash) return { ...facts, state: 'ready' }
    const reason = reasonFor(operation, pin)
    return reason === undefined
      ? { ...facts, state: 'ready', isNew: true }
      : { ...facts, state: 'quarantined', reason }
  })
}

function reasonFor(
  { hash, hasHidden }: ListedOperation,
  pin: ApiListing['pins'][string] | undefined,
): string | undefined {
  if (pin?.rejected !== undefined) {
    return pin.rejected === hash ? 'it was rejected' : 'it was rejected, and has changed since'
  }
  if (pin !== undefined) {
    return 'it has changed since it was accepted: accept or reject the change'
  }
  return hasHidden === true
    ? 'its text contains invisible characters: accept or reject it'
    : undefined
}

type Fits = (operation: ListedOperation) => boolean

/** By name, by `tag:<tag>`, or by verb and path: `GET /repos/*`. */
function toFits(pattern: string): Fits {
  if (pattern.startsWith('tag:')) {
    const glob = compileGlob(pattern.slice(4))
    return ({ tags }) => tags.some(glob)
  }
  const glob = compileGlob(pattern)
  return pattern.includes(' ')
    ? ({ method, path }) => glob(`${method} ${path}`)
    : ({ name }) => glob(name)
}

function toFilter({
  include,
  exclude,
}: Judging): (operation: ListedOperation) => string | undefined {
  const included = include.map(toFits)
  const excluded = exclude.map(toFits)
  return (operation) => {
    if (excluded.some((fits) => fits(operation))) return 'the settings of the API exclude it'
    if (included.length > 0 && !included.some((fits) => fits(operation))) {
      return 'the settings of the API do not include it'
    }
    return undefined
  }
}

const strength: Readonly<Record<Effect, number>> = { read: 0, write: 1, destructive: 2 }

/** The strongest of the verb’s and those of all patterns that fit. */
function toEffects(effects: ApiSpec['effects']) {
  const given = Object.entries(effects).map(
    ([pattern, effect]) => [toFits(pattern), effect] as const,
  )
  return (operation: ListedOperation): Pick<JudgedOperation, 'effect' | 'effectBy'> => {
    let effect = effectOf(operation.method)
    let effectBy: JudgedOperation['effectBy'] = 'verb'
    for (const [fits, wanted] of given) {
      if (strength[wanted] <= strength[effect] || !fits(operation)) continue
      effect = wanted
      effectBy = 'operator'
    }
    return { effect, effectBy }
  }
}
