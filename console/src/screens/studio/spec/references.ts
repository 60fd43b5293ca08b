import { createContext, use } from 'react'
import { draftOf } from './spec-draft.ts'
import type { Draft } from './spec-draft.ts'

/** The names of the input fields of the tool that is being edited. */
export const InputNames = createContext<readonly string[]>([])

export function inputNamesOf(document: Draft): readonly string[] {
  return Object.keys(draftOf(draftOf(document['inputSchema'])['properties']))
}

export function toReference(path: string): string {
  return `{{${path}}}`
}

/** The paths a step can refer to: the input of the whole tool, the other steps, the item of a list. */
export function usePaths(step: Draft, others: readonly string[]): readonly string[] {
  const names = use(InputNames)
  return [
    ...names.map((name) => `input.${name}`),
    ...others.map((id) => `steps.${id}.output`),
    ...(step['each'] === undefined ? [] : ['item', 'index']),
  ]
}
