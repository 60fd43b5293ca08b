import type { JsonValue } from '../api/json.ts'
import type { Issue } from '../api/problem.ts'
import { createFormChecks } from './form-checks.ts'
import {
  editState,
  movePicks,
  pickState,
  replaceState,
  startState,
  textState,
} from './form-state.ts'
import type { FormState, Mode } from './form-state.ts'
import { toInput } from './model/clean.ts'
import type { FormModel } from './model/form-model.ts'
import { isWithin } from './model/pointer.ts'
import type { Maybe } from './model/pointer.ts'
import type { Schema } from './model/schema.ts'

/**
 * One form. Fields get it from context and subscribe to their own part, so that a keystroke renders one
 * field and its parents, not the form.
 */
export interface FormStore {
  id: string
  model: FormModel
  state(): FormState
  /** The input as it would be sent. */
  input(): JsonValue
  subscribe(listener: () => void): () => void
  edit(pointer: string, change: (before: Maybe) => Maybe): void
  replace(value: JsonValue): void
  pick(place: { pointer: string; schema: Schema }, key: string, index: number): void
  /** List items were reordered: their picks move with them. */
  movePicks(pointer: string, to: (index: number) => number | undefined): void
  setMode(mode: Mode): void
  setText(value: JsonValue | undefined, problem: string | undefined): void
  setIssues(issues: readonly Issue[]): void
  check(): readonly Issue[]
  /** Whether it could be sent as it is; shows no issues. */
  fits(): boolean
  /** A field holds text that does not parse yet, so the form must not be sent. */
  noteText(pointer: string, problem: string | undefined): void
  issueAt(pointer: string): string | undefined
  issueWithin(pointer: string): string | undefined
}

interface FormOptions {
  model: FormModel
  value: JsonValue
  mode?: Mode | undefined
}

let created = 0

export function createFormStore({ model, value, mode }: FormOptions): FormStore {
  created += 1
  const listeners = new Set<() => void>()
  let state = startState(model, value, mode)
  const set = (next: FormState) => {
    state = next
    for (const listener of listeners) listener()
  }
  const input = cachedInput(model, () => state)
  const show = (issues: readonly Issue[]) => set({ ...state, issues })
  const checks = createFormChecks({ model, state: () => state, input, show })
  return {
    id: `form${created}`,
    model,
    state: () => state,
    input,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    edit(pointer, change) {
      checks.forget(pointer)
      set(editState(model, state, { pointer, change }))
      checks.schedule()
    },
    replace(next) {
      checks.reset()
      set(replaceState(state, next))
    },
    pick(place, key, index) {
      set(pickState(model, state, { ...place, key, index }))
      checks.schedule()
    },
    movePicks(pointer, to) {
      if (state.picks.size > 0) set({ ...state, picks: movePicks(state.picks, pointer, to) })
    },
    setMode: (next) => set({ ...state, mode: next }),
    setText(next, problem) {
      set(textState(state, next, problem))
      checks.schedule()
    },
    setIssues: checks.setIssues,
    check: checks.check,
    fits: checks.fits,
    noteText: checks.noteText,
    issueAt: (pointer) => state.issues.find((issue) => issue.pointer === pointer)?.message,
    issueWithin: (pointer) =>
      state.issues.find((issue) => isWithin(issue.pointer, pointer))?.message,
  }
}

/** Reads the input once per state: every field that shows it asks for it. */
function cachedInput(model: FormModel, current: () => FormState): () => JsonValue {
  let last: { of: FormState; input: JsonValue } | undefined
  return () => {
    const state = current()
    if (last?.of !== state) {
      const { value, picks } = state
      last = { of: state, input: toInput(model, { value, pointer: '', picks }) }
    }
    return last.input
  }
}
