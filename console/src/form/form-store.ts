import type { JsonValue } from '../api/json.ts'
import type { Issue } from '../api/problem.ts'
import { settle, toInput } from './model/clean.ts'
import { switchOption } from './model/defaults.ts'
import { drawnAt, noPicks } from './model/drawn.ts'
import type { Picker, Picks, Place } from './model/drawn.ts'
import { findIssues } from './model/find-issues.ts'
import type { FormModel } from './model/form-model.ts'
import { inPlaceOrder } from './model/place/place-order.ts'
import { changeAt, isWithin, pointerParts } from './model/pointer.ts'
import type { Maybe } from './model/pointer.ts'
import type { Schema } from './model/schema.ts'

export type Mode = 'form' | 'json'

/** All that a form holds while it is filled in. */
export interface FormState {
  value: JsonValue
  picks: Picks
  mode: Mode
  issues: readonly Issue[]
  /** Why the text in the JSON editor is no JSON yet. */
  textProblem: string | undefined
  /** Counts replacements of the whole: what holds a text of its own begins anew. */
  filled: number
}

/**
 * One form. Fields get it by context and ask it for what is theirs, so that a key that is pressed
 * draws one field and its parents, not the form.
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
  /** Items of a list have changed places: what was picked in them goes along. */
  movePicks(pointer: string, to: (index: number) => number | undefined): void
  setMode(mode: Mode): void
  setText(value: JsonValue | undefined, problem: string | undefined): void
  setIssues(issues: readonly Issue[]): void
  check(): readonly Issue[]
  /** Whether it could be sent as it is; nothing is said of it. */
  fits(): boolean
  /** A piece holds text that is no value yet: it must not be sent without it. */
  noteText(pointer: string, problem: string | undefined): void
  issueAt(pointer: string): string | undefined
  issueWithin(pointer: string): string | undefined
}

let made = 0

interface FormBeginning {
  model: FormModel
  value: JsonValue
  mode?: Mode
}

export function createFormStore({ model, value, mode }: FormBeginning): FormStore {
  made += 1
  const listeners = new Set<() => void>()
  let hasChecked = false
  let fromServer: readonly Issue[] = []
  const unread = new Map<string, string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let sent: { of: FormState; input: JsonValue } | undefined
  let state: FormState = {
    value,
    picks: noPicks,
    mode: model.problem === undefined ? (mode ?? 'form') : 'json',
    issues: [],
    textProblem: undefined,
    filled: 0,
  }
  const change = (next: Partial<FormState>) => {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }
  const findAll = () =>
    findEverything(model, { value: input(), pointer: '', picks: state.picks }, unread)
  const input = () => {
    if (sent?.of !== state) {
      sent = {
        of: state,
        input: toInput(model, { value: state.value, pointer: '', picks: state.picks }),
      }
    }
    return sent.input
  }
  /** Once somebody was told what is wrong, it goes away as it is put right. */
  const lookAgain = () => {
    if (!hasChecked) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      const found = findAll()
      const places = new Set(found.map(({ pointer }) => pointer))
      change({ issues: [...found, ...fromServer.filter(({ pointer }) => !places.has(pointer))] })
    }, 250)
  }
  const store: FormStore = {
    id: `form${made}`,
    model,
    state: () => state,
    input,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    edit(pointer, make) {
      const before = state.value
      const changed = changeAt(before, pointerParts(pointer), make)
      const after = settle(model, { before, after: changed, pointer, picks: state.picks })
      const elsewhere = (issue: Issue) => !isWithin(issue.pointer, pointer)
      const rest = state.issues.filter(elsewhere)
      const issues = rest.length === state.issues.length ? state.issues : rest
      fromServer = fromServer.filter(elsewhere)
      change({ value: after ?? {}, issues })
      lookAgain()
    },
    replace(next) {
      clearTimeout(timer)
      hasChecked = false
      fromServer = []
      unread.clear()
      const filled = state.filled + 1
      change({ value: next, picks: noPicks, issues: [], textProblem: undefined, filled })
    },
    pick({ pointer, schema }, key, index) {
      let picks: Picks = state.picks
      const value = changeAt(state.value, pointerParts(pointer), (before) => {
        const { pickers } = drawnAt(model, schema, { value: before, pointer, picks })
        picks = new Map([
          ...picks,
          ...pickers.map((picker) => [picker.key, picker.index] as const),
          [key, index],
        ])
        const bare = withoutKeys(before, pickers)
        return switchOption(model, schema, { before: bare, pointer, picks })
      })
      const issues = state.issues.filter((issue) => !isWithin(issue.pointer, pointer))
      change({ value: value ?? {}, picks, issues })
      lookAgain()
    },
    movePicks(pointer, to) {
      if (state.picks.size > 0) change({ picks: movedPicks(state.picks, pointer, to) })
    },
    setMode: (mode) => change({ mode }),
    setText(next, textProblem) {
      if (next === undefined) change({ textProblem })
      else change({ value: next, textProblem, picks: noPicks })
      lookAgain()
    },
    setIssues(issues) {
      clearTimeout(timer)
      hasChecked = hasChecked || issues.length > 0
      const place = { value: state.value, picks: state.picks }
      fromServer = inPlaceOrder(model, issues, place)
      change({ issues: fromServer })
    },
    check() {
      clearTimeout(timer)
      fromServer = []
      const { textProblem } = state
      const issues = textProblem === undefined ? findAll() : [{ pointer: '', message: textProblem }]
      hasChecked = issues.length > 0
      change({ issues })
      return issues
    },
    fits: () => state.textProblem === undefined && findAll().length === 0,
    noteText(pointer, problem) {
      if (problem === undefined) unread.delete(pointer)
      else unread.set(pointer, problem)
    },
    issueAt: (pointer) => state.issues.find((issue) => issue.pointer === pointer)?.message,
    issueWithin: (pointer) =>
      state.issues.find((issue) => isWithin(issue.pointer, pointer))?.message,
  }
  return store
}

/** What does not fit, and texts that are no value yet. */
function findEverything(
  model: FormModel,
  place: Place,
  unread: ReadonlyMap<string, string>,
): Issue[] {
  const found = findIssues(model, place).filter(({ pointer }) => !unread.has(pointer))
  const texts = [...unread].map(([pointer, message]) => ({ pointer, message }))
  return inPlaceOrder(model, [...texts, ...found], place)
}

/** The constant of the option before would choose it again. */
function withoutKeys(value: Maybe, pickers: readonly Picker[]): Maybe {
  return pickers.reduce(
    (bare: Maybe, { discriminator }) =>
      discriminator === undefined || typeof bare !== 'object' || bare === null
        ? bare
        : changeAt(bare, [discriminator], () => undefined),
    value,
  )
}

function movedPicks(
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
