import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../api/json.ts'
import { toInput, withoutSecrets } from '../model/clean.ts'
import { defaultOf } from '../model/defaults.ts'
import { noPicks } from '../model/drawn.ts'
import { whyNotDrawn } from '../model/drawable.ts'
import { findIssues } from '../model/find-issues.ts'
import { createModel } from '../model/form-model.ts'
import type { FormModel } from '../model/form-model.ts'
import { listed, written } from './corpus.ts'
import { fillIn } from './fill-in.ts'
import { hostile } from './hostile.ts'

const at = (value: JsonValue) => ({ value, pointer: '', picks: noPicks })
const issuesOf = (model: FormModel, value: JsonValue) => findIssues(model, at(value))

test('the corpus is as large as it claims to be', () => {
  expect(written.length).toBeGreaterThanOrEqual(40)
  expect(listed.length).toBeGreaterThanOrEqual(90)
})

describe('an input that fits has nothing wrong with it, and is sent as it is', () => {
  test.each(written)('$name', ({ schema, fill }) => {
    const model = createModel(schema)
    expect(model.problem).toBeUndefined()
    expect(issuesOf(model, fill)).toEqual([])
    expect(toInput(model, at(fill))).toEqual(fill)
  })
})

describe('an empty form with everything filled in that must be fits', () => {
  const withFill = new Set([
    'contains and uniqueItems',
    'anyOf that only narrows',
    'enum of objects',
  ])
  test.each([...written.filter(({ name }) => !withFill.has(name)), ...listed])(
    '$name',
    ({ schema }) => {
      const model = createModel(schema)
      const filled = fillIn(model)
      expect(issuesOf(model, filled)).toEqual([])
    },
  )
})

describe('nobody gets stuck on a hostile schema', () => {
  test.each(Object.keys(hostile))('%s', (name) => {
    const begun = performance.now()
    const model = createModel(hostile[name]?.())
    const why = model.problem ?? whyNotDrawn(model)
    const value = defaultOf(model, model.root, { isRequired: true }) ?? {}
    issuesOf(model, value)
    issuesOf(model, { v: 'a'.repeat(50_000) + 'b' })
    withoutSecrets(model, value)
    // An hour on a slow machine, were anything of it exponential.
    expect(performance.now() - begun).toBeLessThan(20_000)
    expect(why === undefined || why.length > 20).toBe(true)
  })
})
