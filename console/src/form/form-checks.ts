import type { JsonValue } from '../api/json.ts'
import type { Issue } from '../api/problem.ts'
import { issuesOutside } from './form-state.ts'
import type { FormState } from './form-state.ts'
import { findIssues } from './model/find-issues.ts'
import type { FormModel } from './model/form-model.ts'
import { inPlaceOrder } from './model/place/place-order.ts'

interface CheckedForm {
  model: FormModel
  state: () => FormState
  input: () => JsonValue
  show: (issues: readonly Issue[]) => void
}

/** How long after the last key a form with shown issues is checked again. */
const recheckMs = 250

/** Validates one form: on demand, and after edits once issues have been shown. */
export function createFormChecks({ model, state, input, show }: CheckedForm) {
  const unparsed = new Map<string, string>()
  let hasShown = false
  let fromServer: readonly Issue[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const findAll = () => {
    const place = { value: input(), pointer: '', picks: state().picks }
    const found = findIssues(model, place).filter(({ pointer }) => !unparsed.has(pointer))
    const texts = [...unparsed].map(([pointer, message]) => ({ pointer, message }))
    return inPlaceOrder(model, [...texts, ...found], place)
  }
  return {
    /** Removes shown issues soon after they are fixed. */
    schedule() {
      if (!hasShown) return
      clearTimeout(timer)
      timer = setTimeout(() => {
        const found = findAll()
        const places = new Set(found.map(({ pointer }) => pointer))
        show([...found, ...fromServer.filter(({ pointer }) => !places.has(pointer))])
      }, recheckMs)
    },
    /** The server's issues at and below an edited place no longer apply. */
    forget(pointer: string) {
      fromServer = issuesOutside(fromServer, pointer)
    },
    reset() {
      clearTimeout(timer)
      hasShown = false
      fromServer = []
      unparsed.clear()
    },
    setIssues(issues: readonly Issue[]) {
      clearTimeout(timer)
      hasShown = hasShown || issues.length > 0
      const { value, picks } = state()
      fromServer = inPlaceOrder(model, issues, { value, picks })
      show(fromServer)
    },
    check(): readonly Issue[] {
      clearTimeout(timer)
      fromServer = []
      const { textProblem } = state()
      const issues = textProblem === undefined ? findAll() : [{ pointer: '', message: textProblem }]
      hasShown = issues.length > 0
      show(issues)
      return issues
    },
    fits: () => state().textProblem === undefined && findAll().length === 0,
    noteText(pointer: string, problem: string | undefined) {
      if (problem === undefined) unparsed.delete(pointer)
      else unparsed.set(pointer, problem)
    },
  }
}
