import type { Api } from '../../../api/client.ts'
import type { JsonValue } from '../../../api/json.ts'
import type { FormStore } from '../../../form/form-store.ts'
import { withoutSecrets } from '../../../form/model/clean.ts'
import { isSameInput } from '../../../form/model/same-input.ts'
import type { RunState } from '../run-state.ts'

interface Sources {
  store: FormStore
  value: JsonValue
  run: RunState | undefined
  examples: Api<'ToolDetail'>['examples']
}

interface SnippetInput {
  input: JsonValue
  /** Where it comes from, as a sentence. */
  source: string
}

/**
 * The input of a snippet: valid input if there is any. Snippets are copied into files and chats, so
 * secrets are left out.
 */
export function toSnippetInput({ store, value, run, examples }: Sources): SnippetInput {
  const shown = (input: JsonValue) => withoutSecrets(store.model, input)
  const isOfRun = run?.callId !== undefined && isSameInput(shown(run.input), shown(value))
  if (isOfRun) return { input: shown(run.input), source: 'Uses the input of this run.' }
  if (store.fits()) return { input: shown(value), source: 'Uses the current form values.' }
  if (run?.callId !== undefined) {
    return {
      input: shown(run.input),
      source: 'Uses the input of the last run, because the form is incomplete.',
    }
  }
  const [example] = examples
  if (example !== undefined) {
    return {
      input: shown((example.input ?? {}) as JsonValue),
      source: `Uses the example “${example.label}”, because the form is incomplete.`,
    }
  }
  return {
    input: shown(value),
    source: 'The form is incomplete. Fill it in first.',
  }
}
