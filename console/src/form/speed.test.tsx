import { expect, test } from 'vitest'
import { cdp } from 'vitest/browser'
import { drawForm, toolWith } from './testing/draw-form.tsx'

const pair = { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'integer' } }

/** 300 properties: text, numbers, choices, switches and nested objects, 361 controls in all. */
const large = {
  type: 'object',
  required: ['field0'],
  properties: Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`field${index}`, propertyOf(index)]),
  ),
}

function propertyOf(index: number): unknown {
  if (index % 10 === 1) return { type: 'number', minimum: 0 }
  if (index % 10 === 2) return { enum: ['low', 'normal', 'high'] }
  if (index % 10 === 3) return { type: 'boolean', default: true }
  if (index % 10 === 4) return { type: 'object', default: {}, properties: pair }
  return { type: 'string', description: `What field ${index} is for` }
}

test('a key that is pressed in a form of 300 fields takes under 20 ms of work', async () => {
  const { screen, state } = await drawForm(toolWith(large), { keepDraft: true })
  await screen.getByRole('button', { name: 'Show 100 more of 100' }).click()
  const field = document.getElementById(`${state().store.id}/field150`)
  if (!(field instanceof HTMLInputElement)) throw new Error('There is no field to type in')
  field.focus()
  const keys = 30
  // The best of several tries: beside others a processor is slower.
  let perKey = Infinity
  for (let round = 0; round < 10 && perKey >= 20; round += 1) {
    const before = await scriptMs()
    for (let key = 1; key <= keys; key += 1) {
      type(field, 'x'.repeat(key + round))
      await new Promise((resolve) => setTimeout(resolve, 0))
    }
    perKey = Math.min(perKey, ((await scriptMs()) - before) / keys)
    expect(state().value).toMatchObject({ field150: 'x'.repeat(keys + round) })
  }
  console.info(`${perKey.toFixed(1)} ms of script a key`)
  expect(perKey).toBeLessThan(20)
})

/** Time that scripts of this page had the processor for: waiting for other programs does not count. */
async function scriptMs(): Promise<number> {
  await cdp().send('Performance.enable', { timeDomain: 'threadTicks' })
  const { metrics } = await cdp().send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? NaN) * 1000
}

function type(field: HTMLInputElement, text: string): void {
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {}
  set?.call(field, text)
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
}
