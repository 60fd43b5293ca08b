import { JsonInput } from '@mantine/core'
import { useState } from 'react'
import type { Api } from '../api/client.ts'
import type { JsonValue } from '../api/json.ts'
import type { Issue } from '../api/problem.ts'

export interface ToolInputOptions {
  tool: Api<'ToolDetail'>
  /** What the form begins with; else the draft that was kept, else the defaults of the schema. */
  initial?: JsonValue
  /** Keep what is typed on this device until it is run (true). */
  keepDraft?: boolean
}

/** An input while it is filled in. */
export interface ToolInputState {
  value: JsonValue
  set(value: JsonValue): void
  update(change: (before: JsonValue) => JsonValue): void
  issues: readonly Issue[]
  /** What the server had against it, shown at the fields. */
  setServerIssues(issues: readonly Issue[]): void
  /** Whether it fits the schema; where it does not, says so and moves the focus there. */
  check(): boolean
  /** Back to what the form began with, without the draft. */
  reset(): void
  /** It was run: the draft has served. */
  dropDraft(): void
}

export function useToolInput({ initial }: ToolInputOptions): ToolInputState {
  const [value, set] = useState<JsonValue>(initial ?? {})
  const [issues, setServerIssues] = useState<readonly Issue[]>([])
  return {
    value,
    set,
    update: (change) => set(change),
    issues,
    setServerIssues,
    check: () => true,
    reset: () => set(initial ?? {}),
    dropDraft: () => {},
  }
}

interface ToolInputProps {
  tool: Api<'ToolDetail'>
  state: ToolInputState
  isDisabled?: boolean
  /** Earlier calls of the tool can be filled in from (true). */
  hasHistory?: boolean
}

/** The input of a tool as a form or as JSON, with everything to fill it from. Without a Run button. */
export function ToolInput({ state, isDisabled = false }: ToolInputProps) {
  return (
    <JsonInput
      label="Input"
      autosize
      minRows={8}
      disabled={isDisabled}
      defaultValue={JSON.stringify(state.value, null, 2)}
      onChange={(text) => {
        try {
          state.set(JSON.parse(text) as JsonValue)
        } catch {
          // Not whole yet.
        }
      }}
    />
  )
}
