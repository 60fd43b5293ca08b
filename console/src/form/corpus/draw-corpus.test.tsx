import { describe, expect, test } from 'vitest'
import { drawnAt, noPicks } from '../model/drawn.ts'
import type { FormModel } from '../model/form-model.ts'
import { kindOf } from '../model/kinds.ts'
import { childPointer } from '../model/pointer.ts'
import { isRecord, stringsOf } from '../model/schema.ts'
import { violations } from '../../testing/violations.ts'
import { drawForm, toolWith } from '../testing/draw-form.tsx'
import { listed, written } from './corpus.ts'
import { hostile } from './hostile.ts'

describe('every schema of the corpus is drawn, reachable, and the same as JSON', () => {
  test.each(written)('$name', async ({ schema, fill }) => {
    const { screen, state } = await drawForm(toolWith(schema), { initial: fill })
    await expect.element(screen.getByText('Form', { exact: true })).toBeVisible()
    expect(document.body.textContent).not.toContain('can’t be drawn')
    // Dates bring their calendar along a moment later.
    await expect.poll(() => unlabelled(state().store)).toEqual([])
    expect(state().check()).toBe(true)
    expect(await violations()).toEqual([])
    await screen.getByText('JSON', { exact: true }).click()
    await expect.element(screen.getByRole('textbox', { name: 'Input as JSON' })).toBeVisible()
    await screen.getByText('Form', { exact: true }).click()
    expect(state().value).toEqual(fill)
    await screen.unmount()
  })
})

describe('empty forms of the corpus have nothing against accessibility', () => {
  test.each(written.filter((_, index) => index % 4 === 0))('$name', async ({ schema }) => {
    const { screen, state } = await drawForm(toolWith(schema))
    state().check()
    await expect.element(screen.getByText('Form', { exact: true })).toBeVisible()
    expect(await violations()).toEqual([])
    await screen.unmount()
  })
})

/** Of tools whose schemas differ in names only, one is enough here; corpus.test.ts has them all. */
const different = [...new Map(listed.map((tool) => [shapeOf(tool.schema), tool])).values()]

function shapeOf(schema: unknown): string {
  if (Array.isArray(schema)) return `[${schema.map(shapeOf).join()}]`
  if (!isRecord(schema)) return typeof schema
  const { properties, type, enum: values, items, anyOf, required } = schema
  const inner = isRecord(properties) ? Object.values(properties).map(shapeOf).toSorted() : []
  const parts = [type, Array.isArray(values), shapeOf(items), shapeOf(anyOf), shapeOf(required)]
  return JSON.stringify([parts, [...new Set(inner)]])
}

test.each(different)('the tool $name of a real server is drawn', async ({ schema }) => {
  const { screen, state } = await drawForm(toolWith(schema))
  expect(document.body.textContent).not.toContain('can’t be drawn')
  expect(unlabelled(state().store)).toEqual([])
  await screen.unmount()
})

describe('a hostile schema leaves a way to fill it in', () => {
  test.each(Object.keys(hostile))('%s', async (name) => {
    const { screen } = await drawForm(toolWith(hostile[name]?.()))
    await expect.element(screen.getByText('JSON', { exact: true })).toBeVisible()
    await screen.getByRole('button', { name: 'Run' }).click()
    expect(document.querySelectorAll('input, textarea').length).toBeLessThan(1500)
    await screen.unmount()
  })
})

interface Drawn {
  id: string
  model: FormModel
  state(): { value: unknown }
}

/** Required fields without a control, or whose control has no name. */
function unlabelled(store: Drawn): string[] {
  const { model } = store
  const missing: string[] = []
  const look = (schema: FormModel['root'], value: unknown, pointer: string) => {
    const drawn = drawnAt(model, schema, { value: value as never, pointer, picks: noPicks })
    if (kindOf(model, drawn, '') !== 'object' || !isRecord(value)) {
      if (!isNamed(document.getElementById(store.id + pointer))) missing.push(pointer)
      return
    }
    const properties = isRecord(drawn.schema['properties']) ? drawn.schema['properties'] : {}
    for (const key of stringsOf(drawn.schema['required'])) {
      const inner = Object.hasOwn(properties, key) ? properties[key] : undefined
      if (inner !== undefined)
        look(inner as FormModel['root'], value[key], childPointer(pointer, key))
    }
  }
  look(model.root, store.state().value, '')
  return missing
}

function isNamed(element: HTMLElement | null): boolean {
  if (element === null) return false
  if (element.hasAttribute('aria-label') || element.hasAttribute('aria-labelledby')) return true
  if (element.querySelector('legend, [aria-label]') !== null) return true
  return document.querySelector(`label[for="${CSS.escape(element.id)}"]`) !== null
}
