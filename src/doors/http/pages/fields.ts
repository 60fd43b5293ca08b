import type { Issue } from '../../../core/kernel/errors.ts'
import { html } from './html.ts'
import type { Html } from './html.ts'

export interface PageField {
  name: string
  label: string
  type?: 'text' | 'email' | 'password'
  value?: string
  /** Shown below the label before anything is typed. */
  hint?: string
  autocomplete: string
  isReadOnly?: boolean
}

/** One labelled field, with what is wrong with it right below. Errors are tied to it for screen readers. */
export function field(spec: PageField, error?: string): Html {
  const { name, label, hint, autocomplete, type = 'text', value = '' } = spec
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint !== undefined && html`<p class="dim" id="${name}-hint">${hint}</p>`}
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${value}"
      autocomplete="${autocomplete}"
      ${spec.isReadOnly === true ? html`readonly` : html`required`}
      ${described !== '' && html`aria-describedby="${described}"`}
      ${error !== undefined && html`aria-invalid="true"`}
    />
    ${error !== undefined && html`<p class="fault" id="${name}-error">${error}</p>`}
  </div>`
}

/** Where to go afterwards, carried along. */
export function nextField(next: string | undefined): Html | false {
  return next !== undefined && html`<input type="hidden" name="next" value="${next}" />`
}

/** The error of the whole form. */
export function formFault(message: string | undefined): Html | false {
  return message !== undefined && html`<p class="fault" role="alert">${message}</p>`
}

/** Errors by the name of their field; the others under the empty name. */
export type Faults = Readonly<Record<string, string>>

/** Assigns the parts of an error to their fields. */
export function toFaults(
  error: { message: string; fix?: string; issues: readonly Issue[] },
  fields: readonly string[],
): Faults {
  const faults: Record<string, string> = {}
  for (const { path, message } of error.issues) {
    const name = path.slice(1)
    if (fields.includes(name)) faults[name] ??= `${toUpper(name)} ${message}.`
  }
  if (Object.keys(faults).length > 0) return faults
  return { '': error.fix === undefined ? `${error.message}.` : `${error.message}. ${error.fix}` }
}

function toUpper(name: string): string {
  const word = name === 'current' ? 'this' : name
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
