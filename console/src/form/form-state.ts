import type { JsonValue } from '../api/json.ts'
import type { Issue } from '../api/problem.ts'
import { settle } from './model/clean.ts'
import { switchOption } from './model/defaults.ts'
import { drawnAt, noPicks } from './model/drawn.ts'
import type { Picker, Picks } from './model/drawn.ts'
import type { FormModel } from './model/form-model.ts'
import { changeAt, isWithin, pointerParts } from './model/pointer.ts'
import type { Maybe } from './model/pointer.ts'
import type { Schema } from './model/schema.ts'

export type Mode = 'form' | 'json'

/** Everything a form holds while it is filled in. */
export interface FormState {
  value: JsonValue
  picks: Picks
  mode: Mode
  issues: readonly Issue[]
  /** Why the text in the JSON editor does not parse yet. */
  textProblem: string | undefined
  /** Counts replacements of the whole value: fields that hold their own text reset on each. */
  filled: number
}

/** The state of a new form. A schema that cannot be drawn is edited as JSON. */
export function startState(model: FormModel, value: JsonValue, mode: Mode = 'form'): FormState {
  return {
    value,
    picks: noPicks,
    mode: model.problem === undefined ? mode : 'json',
    issues: [],
    textProblem: undefined,
    filled: 0,
  }
}

/** Changes the value at one place; the issues at and below it are cleared. */
export function editState(
  model: FormModel,
  state: FormState,
  edit: { pointer: string; change: (before: Maybe) => Maybe },
): FormState {
  const { value: before, picks, issues } = state
  const { pointer, change } = edit
  const after = changeAt(before, pointerParts(pointer), change)
  const settled = settle(model, { before, after, pointer, picks })
  const rest = issuesOutside(issues, pointer)
  // The same array where nothing was removed, so that no field renders because of it.
  return {
    ...state,
    value: settled ?? {},
    issues: rest.length === issues.length ? issues : rest,
  }
}

/** Replaces the whole value. */
export function replaceState(state: FormState, value: JsonValue): FormState {
  const filled = state.filled + 1
  return { ...state, value, picks: noPicks, issues: [], textProblem: undefined, filled }
}

/** Chooses an option of a union, and keeps the values that both options have. */
export function pickState(
  model: FormModel,
  state: FormState,
  choice: { pointer: string; schema: Schema; key: string; index: number },
): FormState {
  const { pointer, schema, key, index } = choice
  let { picks } = state
  const value = changeAt(state.value, pointerParts(pointer), (before) => {
    const { pickers } = drawnAt(model, schema, { value: before, pointer, picks })
    picks = new Map([
      ...picks,
      ...pickers.map((picker) => [picker.key, picker.index] as const),
      [key, index],
    ])
    const bare = withoutDiscriminators(before, pickers)
    return switchOption(model, schema, { before: bare, pointer, picks })
  })
  return { ...state, value: value ?? {}, picks, issues: issuesOutside(state.issues, pointer) }
}

/** Stores the value of the JSON editor, or why its text is not a value yet. */
export function textState(
  state: FormState,
  value: JsonValue | undefined,
  textProblem: string | undefined,
): FormState {
  return value === undefined
    ? { ...state, textProblem }
    : { ...state, value, textProblem, picks: noPicks }
}

/** Moves the picks inside list items along with their items. */
export function movePicks(
  picks: Picks,
  pointer: string,
  to: (index: number) => number | undefined,
): Picks {
  const moved = new Map<string, number>()
  for (const [key, index] of picks) {
    const match =
      key.startsWith(`${pointer}/`) && /^(\d+)(.*)$/s.exec(key.slice(pointer.length + 1))
    if (!match) {
      moved.set(key, index)
      continue
    }
    const place = to(Number(match[1]))
    if (place !== undefined) moved.set(`${pointer}/${place}${match[2] ?? ''}`, index)
  }
  return moved
}

/** The issues that are not at or below a place. */
export function issuesOutside(issues: readonly Issue[], pointer: string): Issue[] {
  return issues.filter((issue) => !isWithin(issue.pointer, pointer))
}

/** A constant that belongs to the old option would select that option again. */
function withoutDiscriminators(value: Maybe, pickers: readonly Picker[]): Maybe {
  return pickers.reduce(
    (bare: Maybe, { discriminator }) =>
      discriminator === undefined || typeof bare !== 'object' || bare === null
        ? bare
        : changeAt(bare, [discriminator], () => undefined),
    value,
  )
}
