import { beforeEach, describe, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import { violations } from '../testing/violations.ts'
import { drawForm, toolWith } from './testing/draw-form.tsx'

beforeEach(() => localStorage.clear())

const person = {
  type: 'object',
  required: ['name', 'age'],
  properties: {
    name: { type: 'string', minLength: 2, title: 'Full name' },
    age: { type: 'integer', minimum: 18 },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
}

describe('issues', () => {
  test('are counted on top, linked, shown at their fields, and the first one has the focus', async () => {
    const { screen, state } = await drawForm(toolWith(person), { initial: { age: 3 } })
    await screen.getByRole('button', { name: 'Run' }).click()
    const summary = screen.getByRole('alert')
    await expect
      .element(summary)
      .toHaveTextContent('2 fields need attentionFull name: Fill this inAge: At least 18')
    const name = screen.getByRole('textbox', { name: 'Full name' })
    await expect.element(name).toHaveFocus()
    await expect.element(name).toHaveAttribute('aria-invalid', 'true')
    await expect.element(name).toHaveAccessibleDescription('Fill this in')
    expect(await violations()).toEqual([])
    await screen.getByRole('link', { name: 'Age: At least 18' }).click()
    await expect.element(screen.getByRole('textbox', { name: 'Age' })).toHaveFocus()
    await userEvent.fill(screen.getByRole('textbox', { name: 'Age' }), '36')
    await name.fill('Ada')
    await expect.element(summary).not.toBeInTheDocument()
    expect(state().check()).toBe(true)
    expect(state().value).toEqual({ age: 36, name: 'Ada' })
  })

  test('of the server are shown at their fields until those change', async () => {
    const { screen, state } = await drawForm(toolWith(person), {
      initial: { age: 36, name: 'Ada' },
    })
    state().setServerIssues([
      { pointer: '/age', message: 'is too old' },
      { pointer: '/name', message: 'is taken' },
    ])
    const name = screen.getByRole('textbox', { name: 'Full name' })
    await expect.element(name).toHaveFocus()
    await expect.element(name).toHaveAccessibleDescription('is taken')
    await name.fill('Grace')
    await expect
      .element(screen.getByRole('alert'))
      .toHaveTextContent('1 field needs attentionAge: is too old')
    await expect.element(name).not.toHaveAttribute('aria-invalid', 'true')
  })

  test('in an option that was not chosen is nobody’s business', async () => {
    const schema = {
      type: 'object',
      required: ['target'],
      properties: {
        target: {
          oneOf: [
            {
              title: 'Mail',
              type: 'object',
              required: ['kind', 'to'],
              properties: { kind: { const: 'mail' }, to: { type: 'string' } },
            },
            {
              title: 'Hook',
              type: 'object',
              required: ['kind', 'url'],
              properties: { kind: { const: 'hook' }, url: { type: 'string' } },
            },
          ],
        },
      },
    }
    const { screen, state } = await drawForm(toolWith(schema))
    expect(state().value).toEqual({ target: { kind: 'mail' } })
    await screen.getByText('Hook').click()
    expect(state().value).toEqual({ target: { kind: 'hook' } })
    state().check()
    await expect
      .poll(() => state().issues)
      .toEqual([{ pointer: '/target/url', message: 'Fill this in' }])
  })
})

describe('a condition', () => {
  test('brings up its fields with their defaults, and takes what was in them along when it ends', async () => {
    const schema: unknown = JSON.parse(
      '{"type":"object","required":["kind"],"properties":{"kind":{"enum":["person","company"]}},"if":{"properties":{"kind":{"const":"company"}},"required":["kind"]},"then":{"required":["vat"],"properties":{"vat":{"type":"string"},"country":{"type":"string","default":"AT"}}}}',
    )
    const { screen, state } = await drawForm(toolWith(schema))
    await screen.getByText('company').click()
    expect(state().value).toEqual({ kind: 'company', country: 'AT' })
    await screen.getByRole('textbox', { name: 'VAT' }).fill('U1')
    await screen.getByText('person').click()
    expect(state().value).toEqual({ kind: 'person' })
    await screen.getByText('company').click()
    expect(state().value).toEqual({ kind: 'company', country: 'AT', vat: 'U1' })
  })

  test('brings up its fields right below the field that decides, not at the end', async () => {
    const schema: unknown = JSON.parse(
      '{"type":"object","properties":{"country":{"enum":["US","AT"]},"phone":{"type":"string"}},"allOf":[{"if":{"properties":{"country":{"const":"US"}},"required":["country"]},"then":{"properties":{"state":{"type":"string"},"zip":{"type":"string"}}}}],"dependentSchemas":{"state":{"properties":{"county":{"type":"string"}}}}}',
    )
    const { screen } = await drawForm(toolWith(schema))
    const names = () =>
      screen
        .getByRole('textbox')
        .elements()
        .map((box) => (box instanceof HTMLInputElement ? box.labels?.[0]?.textContent : ''))
    expect(names()).toEqual(['Phone'])
    await screen.getByText('US').click()
    await expect.poll(names).toEqual(['State', 'Zip', 'Phone'])
    await screen.getByRole('textbox', { name: 'State' }).fill('Maine')
    await expect.poll(names).toEqual(['State', 'County', 'Zip', 'Phone'])
  })
})

describe('JSON', () => {
  test('that does not parse can’t be sent, and shows where it fails', async () => {
    const { screen, state } = await drawForm(toolWith(person))
    await screen.getByText('JSON', { exact: true }).click()
    const editor = screen.getByRole('textbox', { name: 'Input as JSON' })
    await editor.fill('{"name": "Ada", ')
    expect(state().check()).toBe(false)
    await expect.element(screen.getByText(/^This is not JSON yet/)).toBeVisible()
    await screen.getByText('Form', { exact: true }).click()
    await expect.element(editor).toBeVisible()
    await editor.fill('{"name": "Ada", "age": 36}')
    await screen.getByText('Form', { exact: true }).click()
    await expect.element(screen.getByRole('textbox', { name: 'Full name' })).toHaveValue('Ada')
    expect(state().value).toEqual({ name: 'Ada', age: 36 })
  })
})

describe('a draft', () => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, token: { type: 'string', format: 'password' } },
  }

  test('comes back without its secrets, and goes with a new beginning', async () => {
    const tool = toolWith(schema)
    const first = await drawForm(tool, { keepDraft: true })
    await first.screen.getByRole('textbox', { name: 'Name' }).fill('Ada')
    await first.screen.getByLabelText('Token', { exact: true }).fill('s3cret')
    await first.screen.unmount()
    expect(JSON.stringify({ ...localStorage })).not.toContain('s3cret')
    const { screen, state } = await drawForm(tool, { keepDraft: true })
    expect(state().value).toEqual({ name: 'Ada' })
    await screen.getByRole('button', { name: 'Start over' }).click()
    expect(state().value).toEqual({})
    await screen.unmount()
    const third = await drawForm(tool, { keepDraft: true })
    expect(third.state().value).toEqual({})
  })
})

describe('the form of a definition', () => {
  test('decides order, labels, groups and what is hidden', async () => {
    const tool = toolWith(person, {
      form: {
        order: ['age'],
        groups: [{ label: 'More', fields: ['note'], collapsed: true }],
        fields: { age: { label: 'Years', help: 'Since birth' }, name: { hidden: true } },
      },
    })
    const { screen, state } = await drawForm(tool, { initial: { name: 'Ada', age: 36 } })
    await expect
      .element(screen.getByRole('textbox', { name: 'Years' }))
      .toHaveAccessibleDescription(/^Since birth/)
    await expect.element(screen.getByRole('textbox', { name: 'Full name' })).not.toBeInTheDocument()
    await screen.getByRole('button', { name: 'More' }).click()
    await screen.getByRole('textbox', { name: 'Note' }).fill('x')
    expect(state().value).toEqual({ name: 'Ada', age: 36, note: 'x' })
  })
})
