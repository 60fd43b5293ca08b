import { dereference, validate } from '@cfworker/json-schema'
import { dropRiskyPatterns } from './patterns.ts'
import { createReferences } from './references.ts'
import type { FindReference } from './references.ts'
import { isSchema } from './schema.ts'
import type { Schema } from './schema.ts'
import { readFormSpec } from './form-spec.ts'
import type { FormSpec } from './form-spec.ts'

/** A schema that is ready to be drawn, filled in and checked. */
export interface FormModel {
  root: Schema
  find: FindReference
  lookup: Record<string, Schema>
  spec: FormSpec
  /** Why it can't be drawn; then there is JSON only. */
  problem: string | undefined
}

/** Prepares a schema. It is copied: the validator writes marks on what it reads. */
export function createModel(given: unknown, form?: unknown): FormModel {
  const spec = readFormSpec(form)
  try {
    const root: unknown = JSON.parse(JSON.stringify(given ?? true))
    if (!isSchema(root)) return brokenModel('The schema of this tool is not a valid JSON Schema.')
    dropRiskyPatterns(root)
    const find = createReferences(root)
    const problem = root === false ? 'The schema of this tool accepts no input at all.' : undefined
    return { root, find, lookup: toLookup(root), spec, problem }
  } catch {
    return brokenModel('The schema of this tool is nested too deeply to be drawn.')
  }
}

function brokenModel(problem: string): FormModel {
  return { root: true, find: () => undefined, lookup: {}, spec: readFormSpec(undefined), problem }
}

function toLookup(root: Schema): Record<string, Schema> {
  try {
    return dereference(root)
  } catch {
    // Two schemas share a name, or a name is not a valid address: the server checks those.
    return {}
  }
}

/** The errors of the validator. Nothing, where it can't judge: the server will. */
export function findFaults({ lookup }: FormModel, schema: Schema, value: unknown) {
  try {
    return validate(value, schema, '2020-12', lookup, false).errors
  } catch {
    return []
  }
}

/** Whether a value fits a schema, as far as the browser can check. */
export function fits({ lookup }: FormModel, schema: Schema, value: unknown): boolean {
  try {
    return validate(value, schema, '2020-12', lookup, true).valid
  } catch {
    return false
  }
}
