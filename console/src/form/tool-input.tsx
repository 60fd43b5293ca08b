import { Button, SegmentedControl } from '@mantine/core'
import { memo, useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react'
import type { Api } from '../api/client.ts'
import type { JsonValue } from '../api/json.ts'
import type { Issue } from '../api/problem.ts'
import { drafts } from './drafts.ts'
import { ErrorSummary, focusIssue } from './error-summary.tsx'
import { Field } from './fields/field.tsx'
import { FillMenu } from './fill-menu.tsx'
import { FormContext, useFormState } from './form-context.ts'
import { FormGuard } from './form-guard.tsx'
import { createFormStore } from './form-store.ts'
import type { Mode } from './form-state.ts'
import type { FormStore } from './form-store.ts'
import styles from './form.module.css'
import { JsonMode } from './json-mode.tsx'
import { withoutSecrets } from './model/clean.ts'
import { defaultOf } from './model/defaults.ts'
import { whyNotDrawn } from './model/drawable.ts'
import { createModel } from './model/form-model.ts'
import type { FormModel } from './model/form-model.ts'

export interface ToolInputOptions {
  tool: Api<'ToolDetail'>
  /** The initial value, to which the form is reset; by default the kept draft, then the schema's defaults. */
  initial?: JsonValue
  /** The first value, in place of a draft; the form is not reset to it. */
  value?: JsonValue
  /** The call whose result is on the page: a draft is kept as typed beside it. */
  beside?: string | undefined
  /** Keep what is typed on this device until it is run (true). */
  keepDraft?: boolean
}

/** An input while it is filled in. */
export interface ToolInputState {
  value: JsonValue
  set(value: JsonValue): void
  update(change: (before: JsonValue) => JsonValue): void
  issues: readonly Issue[]
  /** The issues of the server, shown at the fields. */
  setServerIssues(issues: readonly Issue[]): void
  /** Whether it fits the schema; otherwise shows the issues and moves the focus there. */
  check(): boolean
  /** Back to what the form began with, without the draft. */
  reset(): void
  /** It was run: the draft has served. */
  dropDraft(): void
  /** The state of the form itself. */
  store: FormStore
  /** It began with what was typed here earlier. */
  hasDraft: boolean
}

interface Held {
  name: string
  schema: unknown
  form: unknown
  /** The value that "Start over" restores. */
  initial: JsonValue
  store: FormStore
  hasDraft: boolean
}

/** Holds the input of a tool: where it comes from, whether it fits, and what is kept of it. */
export function useToolInput(options: ToolInputOptions): ToolInputState {
  const { tool, beside, keepDraft = true } = options
  const [held, setHeld] = useState(() => begin(options))
  const isOther = held.name !== tool.name
  const isChanged = held.schema !== tool.inputSchema || held.form !== tool.form
  // Another tool is another form; the same tool with another schema keeps what was typed.
  const current = isOther ? begin(options) : isChanged ? anew(held, tool) : held
  if (current !== held) setHeld(current)
  const { store, hasDraft } = current
  const state = useSyncExternalStore(store.subscribe, store.state)
  useDraft(tool.name, { store, isOn: keepDraft, beside })
  const began = current.initial
  // They stay themselves while somebody types: what hangs on them is not drawn with every key.
  const actions = useMemo(
    () =>
      toActions(
        store,
        () => {
          drafts.drop(tool.name)
          setHeld((before) => (before.hasDraft ? { ...before, hasDraft: false } : before))
        },
        began,
      ),
    [store, tool.name, began],
  )
  return useMemo(
    () => ({
      ...actions,
      store,
      hasDraft,
      value: state.textProblem === undefined ? store.input() : state.value,
      issues: state.issues,
    }),
    [actions, store, state, hasDraft],
  )
}

function toActions(store: FormStore, dropDraft: () => void, initial: JsonValue) {
  const tell = ([first]: readonly Issue[]) => {
    if (first !== undefined) focusIssue(store.id, first.pointer)
    return first === undefined
  }
  return {
    dropDraft,
    set: (value: JsonValue) => store.replace(value),
    update: (change: (before: JsonValue) => JsonValue) =>
      store.replace(change(store.state().value)),
    setServerIssues(issues: readonly Issue[]) {
      store.setIssues(issues)
      tell(store.state().issues)
    },
    check: () => tell(store.check()),
    reset() {
      dropDraft()
      store.replace(initial)
    },
  }
}

function begin({ tool, initial, value, keepDraft = true }: ToolInputOptions): Held {
  const { name, inputSchema: schema, form } = tool
  const model = toDrawable(createModel(schema, form))
  const mayHaveDraft = keepDraft && initial === undefined && value === undefined
  const draft = mayHaveDraft ? drafts.read(name) : undefined
  const first = initial ?? emptyInput(model)
  const given = value === undefined ? undefined : withoutSecrets(model, value)
  const store = createFormStore({ model, value: draft ?? given ?? first })
  return { name, schema, form, initial: first, store, hasDraft: draft !== undefined }
}

/** The definition was changed: typed values and the reset value stay. */
function anew({ store, hasDraft, initial }: Held, tool: Api<'ToolDetail'>): Held {
  const next = begin({ tool, initial: store.state().value, keepDraft: false })
  return { ...next, hasDraft, initial }
}

function toDrawable(model: FormModel): FormModel {
  return { ...model, problem: model.problem ?? whyNotDrawn(model) }
}

function emptyInput(model: FormModel): JsonValue {
  return defaultOf(model, model.root, { isRequired: true }) ?? {}
}

const draftPauseMs = 400

/** Keeps what is typed, a moment later: not with every key. */
function useDraft(
  tool: string,
  { store, isOn, beside }: { store: FormStore; isOn: boolean; beside: string | undefined },
): void {
  const place = useEffectEvent(() => beside)
  useEffect(() => {
    if (!isOn) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let last = store.state().value
    const write = () => {
      clearTimeout(timer)
      const { value } = store.state()
      if (value === last) return
      last = value
      drafts.write(tool, { model: store.model, value, beside: place() })
    }
    const unsubscribe = store.subscribe(() => {
      clearTimeout(timer)
      timer = setTimeout(write, draftPauseMs)
    })
    window.addEventListener('pagehide', write)
    return () => {
      write()
      unsubscribe()
      window.removeEventListener('pagehide', write)
    }
  }, [tool, store, isOn])
}

interface ToolInputProps {
  tool: Api<'ToolDetail'>
  state: ToolInputState
  isDisabled?: boolean
  /** Earlier calls of the tool can be filled in from (true). */
  hasHistory?: boolean
}

/** The input of a tool as a form or as JSON, with everything to fill it from. Without a Run button. */
export function ToolInput({ tool, state, isDisabled = false, hasHistory = true }: ToolInputProps) {
  const { store, hasDraft, reset } = state
  return (
    <InputView
      tool={tool}
      store={store}
      reset={hasDraft ? reset : undefined}
      isDisabled={isDisabled}
      hasHistory={hasHistory}
    />
  )
}

interface InputViewProps {
  tool: Api<'ToolDetail'>
  store: FormStore
  /** There only where a draft can be left for a new beginning. */
  reset: (() => void) | undefined
  isDisabled: boolean
  hasHistory: boolean
}

/** All but the fields stays as it is while somebody types. */
const InputView = memo(function InputView(props: InputViewProps) {
  const { tool, store, reset, isDisabled, hasHistory } = props
  const place = useMemo(() => ({ store, isDisabled, Field }), [store, isDisabled])
  const mode = useFormState(store, (current) => current.mode)
  const { problem } = store.model
  return (
    <FormContext value={place}>
      <div className={styles.input}>
        <div className={styles.bar}>
          <FillMenu
            tool={tool}
            hasHistory={hasHistory}
            isDisabled={isDisabled}
            fill={(input) => store.replace(withoutSecrets(store.model, input))}
          />
          <SegmentedControl
            size="xs"
            aria-label="Fill in as"
            value={mode}
            disabled={problem !== undefined}
            onChange={(next) => switchMode(store, next)}
            data={[
              { value: 'form', label: 'Form' },
              { value: 'json', label: 'JSON' },
            ]}
          />
        </div>
        {reset !== undefined && (
          <p className={styles.note}>
            Your earlier input is back.
            <Button variant="subtle" size="compact-xs" onClick={reset}>
              Start over
            </Button>
          </p>
        )}
        {problem !== undefined && <p className={styles.why}>{problem} Fill it in as JSON.</p>}
        <ErrorSummary />
        {mode === 'json' ? <JsonMode /> : <DrawnForm store={store} />}
      </div>
    </FormContext>
  )
})

/** Text that does not parse has no form: it stays in the editor to be corrected. */
function switchMode(store: FormStore, mode: Mode): void {
  if (store.state().textProblem === undefined) store.setMode(mode)
  else store.check()
}

function DrawnForm({ store }: { store: FormStore }) {
  const value = useFormState(store, (state) => state.value)
  const broken = (
    <>
      <p className={styles.why}>The schema of this tool can’t be drawn. Fill it in as JSON.</p>
      <JsonMode />
    </>
  )
  return (
    <FormGuard key={store.id} fallback={broken}>
      <Field
        schema={store.model.root}
        pointer=""
        path=""
        label="Input"
        value={value}
        isRequired
        depth={0}
      />
    </FormGuard>
  )
}
