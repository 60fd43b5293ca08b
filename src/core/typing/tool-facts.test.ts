import type { z } from 'zod'
import { expect, expectTypeOf, test } from 'vitest'
import { toolFacts } from '../schema/tool-definition.ts'
import type { SecretDeclaration, ToolFactsInput } from './tool-facts.ts'

type Checked = z.input<typeof toolFacts>

type Mutable<T> = T extends object ? { -readonly [Key in keyof T]: Mutable<T[Key]> } : T

/** Fields that hold any JSON are too deep for the compiler to compare. */
type Json = 'examples' | 'tests' | 'evals'

test('the documented facts are those that are checked', () => {
  expectTypeOf<keyof ToolFactsInput>().toEqualTypeOf<keyof Checked>()
  expectTypeOf<Checked>().toExtend<ToolFactsInput>()
  expectTypeOf<Mutable<Omit<ToolFactsInput, Json>>>().toExtend<Omit<Checked, Json>>()
  expectTypeOf<NonNullable<Checked['secrets']>[number]>().toExtend<SecretDeclaration>()
  // A list of the keys at run time, so that the lines above can't pass vacuously.
  expect(Object.keys(toolFacts.shape).length).toBeGreaterThan(25)
})
