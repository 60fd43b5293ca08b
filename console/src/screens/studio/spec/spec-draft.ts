import type { JsonValue } from '../../../api/json.ts'

/** A part of a document while it is edited: any JSON object. */
export type Draft = { readonly [key: string]: JsonValue }

export interface SpecEditorProps {
  spec: Draft
  onChange(spec: Draft): void
}

/** The kinds of specs, with what they are for. */
export const specKinds = [
  { value: 'composition', label: 'Steps', help: 'Calls other tools, in order or side by side.' },
  { value: 'http', label: 'HTTP request', help: 'Sends one request to a web service.' },
  { value: 'prompt', label: 'Prompt', help: 'Asks a model, a skill or an agent.' },
  { value: 'code', label: 'Code', help: 'Runs JavaScript or TypeScript that can call tools.' },
  { value: 'task', label: 'Task', help: 'Gives work to an agent or to people, and waits.' },
] as const

export type SpecKindName = (typeof specKinds)[number]['value']

/** A new spec of this kind that has the fields it can't do without. */
export function blankSpec(kind: SpecKindName): Draft {
  switch (kind) {
    case 'composition':
      return { kind, steps: [{ id: 'first', tool: '', input: {} }] }
    case 'http':
      return { kind, method: 'GET', url: 'https://' }
    case 'prompt':
      return { kind, mode: 'direct', template: '' }
    case 'code':
      return { kind, language: 'ts', source: 'return { text: String(input.text) }\n' }
    case 'task':
      return { kind, to: 'role:operator', template: '' }
  }
}

/** The draft with a member, or without it where it is empty. */
export function withMember(draft: Draft, key: string, value: JsonValue | undefined): Draft {
  const { [key]: _before, ...rest } = draft
  return value === undefined || value === '' ? rest : { ...draft, [key]: value }
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

export function draftOf(value: JsonValue | undefined): Draft {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}
