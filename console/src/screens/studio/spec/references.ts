import { createContext } from 'react'
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
