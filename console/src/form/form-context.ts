import { createContext, use, useSyncExternalStore } from 'react'
import type { ComponentType } from 'react'
import type { FieldProps } from './fields/piece.ts'
import type { FormState } from './form-state.ts'
import type { FormStore } from './form-store.ts'

interface FormPlace {
  store: FormStore
  isDisabled: boolean
  /** Draws one place. Objects and lists take it from here, as importing it would be a cycle. */
  Field: ComponentType<FieldProps>
}

export const FormContext = createContext<FormPlace | undefined>(undefined)

/** The form around a field. */
export function useForm(): FormPlace {
  const place = use(FormContext)
  if (place === undefined) throw new Error('A field must be inside a form')
  return place
}

/** One part of the state; a change of the others does not draw again. */
export function useFormState<Part>(store: FormStore, part: (state: FormState) => Part): Part {
  return useSyncExternalStore(store.subscribe, () => part(store.state()))
}

/** The issue at a place, or anywhere below it for a field that shows all of it. */
export function useIssue(pointer: string, isWhole: boolean): string | undefined {
  const { store } = useForm()
  return useSyncExternalStore(store.subscribe, () =>
    isWhole ? store.issueWithin(pointer) : store.issueAt(pointer),
  )
}

/** Where the control of a place is found: for labels, error links and the focus. */
export function fieldId(store: FormStore, pointer: string): string {
  return `${store.id}${pointer}`
}
