import { describe, expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import type { JsonValue } from '../../api/json.ts'
import { violations } from '../../testing/violations.ts'
import { drawForm, toolWith } from '../testing/draw-form.tsx'

describe('ready inputs', () => {
  test('come from examples and from earlier calls, without secrets', async () => {
    const schema = {
      type: 'object',
      properties: { name: { type: 'string' }, token: { type: 'string', writeOnly: true } },
    }
    const tool = toolWith(schema, { examples: [{ label: 'Ada', input: { name: 'Ada' } }] })
    await withAnswers(
      {
        '/api/v1/calls': {
          items: [
            {
              callId: 'call_1',
              status: 'completed',
              input: { name: 'Grace', token: 'x' },
              requestedAt: '2026-11-15T10:00:00Z',
            },
          ],
        },
      },
      async () => {
        const { screen, state } = await drawForm(tool, { hasHistory: true })
        await screen.getByRole('button', { name: 'Fill from' }).click()
        await screen.getByRole('menuitem', { name: 'Ada' }).click()
        expect(state().value).toEqual({ name: 'Ada' })
        await screen.getByRole('button', { name: 'Fill from' }).click()
        await screen.getByRole('menuitem', { name: /Grace/ }).click()
        expect(state().value).toEqual({ name: 'Grace' })
      },
    )
  })
})

describe('something that a tool knows', () => {
  test('is looked up by typing, with a tool that only reads', async () => {
    const schema = {
      type: 'object',
      properties: { customer: { type: 'string', 'x-entity-type': 'customer' } },
    }
    const output = {
      items: [
        { id: 'c1', name: 'Ada & Sons' },
        { id: 'c2', name: 'Babbage' },
      ],
    }
    await withAnswers(
      {
        '/api/v1/tools/customer.search': {
          name: 'customer.search',
          effect: 'read',
          state: 'ready',
        },
        '/api/v1/tools/customer.search/calls': { callId: 'call_1', status: 'completed', output },
      },
      async () => {
        const { screen, state } = await drawForm(toolWith(schema))
        await screen.getByRole('combobox', { name: 'Customer' }).click()
        await screen.getByRole('option', { name: 'Babbage' }).click()
        expect(state().value).toEqual({ customer: 'c2' })
        await expect
          .element(screen.getByRole('combobox', { name: 'Customer' }))
          .toHaveValue('Babbage')
        expect(await violations()).toEqual([])
      },
    )
  })
})

describe('a piece that a form has no better way for', () => {
  test('is edited as JSON, and text that does not parse blocks the form', async () => {
    const schema = { type: 'object', properties: { any: {}, name: { type: 'string' } } }
    const { screen, state } = await drawForm(toolWith(schema))
    const editor = screen.getByRole('textbox', { name: 'Any' })
    await editor.fill('{"a": [1, 2]}')
    expect(state().value).toEqual({ any: { a: [1, 2] } })
    await editor.fill('{"a": ')
    expect(state().check()).toBe(false)
    await expect
      .element(screen.getByRole('link', { name: /^Any: This is not JSON yet/ }))
      .toBeVisible()
    await editor.fill('7')
    await expect.element(screen.getByRole('alert')).not.toBeInTheDocument()
    expect(state().check()).toBe(true)
    expect(state().value).toEqual({ any: 7 })
  })
})

describe('a date', () => {
  test('is typed or picked, and reads the same in every time zone', async () => {
    const schema = {
      type: 'object',
      properties: {
        day: { type: 'string', format: 'date' },
        at: { type: 'string', format: 'date-time' },
      },
    }
    const { screen, state } = await drawForm(toolWith(schema), {
      initial: { at: '2026-11-15T10:30:00Z' },
    })
    const day = screen.getByRole('textbox', { name: 'Day' })
    await day.click()
    await expect.element(screen.getByRole('button', { name: 'Next month' })).toBeVisible()
    expect(await violations()).toEqual([])
    await day.fill('2027-02-03')
    await userEvent.tab()
    expect(state().value).toEqual({ day: '2027-02-03', at: '2026-11-15T10:30:00Z' })
    await screen.getByRole('button', { name: 'At', exact: true }).click()
    await expect.element(screen.getByRole('button', { name: 'Done' })).toBeVisible()
    expect(await violations()).toEqual([])
    await screen.getByRole('button', { name: /^20 November 2026/ }).click()
    await expect
      .poll(() => state().value)
      .toMatchObject({ at: expect.stringMatching(/^2026-11-20T10:30:00(\.000)?Z$/) as string })
  })
})

describe('a list', () => {
  const schema = {
    type: 'object',
    properties: { tags: { type: 'array', items: { type: 'string' } } },
  }

  test('grows, changes its order and shrinks by buttons, and the focus goes along', async () => {
    const { screen, state } = await drawForm(toolWith(schema))
    await screen.getByRole('button', { name: 'Add tag' }).click()
    await screen.getByRole('textbox', { name: 'Tag 1' }).fill('one')
    await screen.getByRole('button', { name: 'Add tag' }).click()
    await expect.element(screen.getByRole('textbox', { name: 'Tag 2' })).toHaveFocus()
    await screen.getByRole('textbox', { name: 'Tag 2' }).fill('two')
    await screen.getByRole('button', { name: 'Move Tag 2 up' }).click()
    expect(state().value).toEqual({ tags: ['two', 'one'] })
    await expect.element(screen.getByRole('button', { name: 'Move Tag 1 down' })).toHaveFocus()
    await screen.getByRole('button', { name: 'Remove Tag 1' }).click()
    expect(state().value).toEqual({ tags: ['one'] })
    await screen.getByRole('button', { name: 'Remove Tag 1' }).click()
    expect(state().value).toEqual({})
    await expect.element(screen.getByRole('button', { name: 'Add tag' })).toHaveFocus()
  })
})

describe('a map', () => {
  const schema = {
    type: 'object',
    properties: { headers: { type: 'object', additionalProperties: { type: 'string' } } },
  }

  test('gets entries with names of one’s own, and no name twice', async () => {
    const { screen, state } = await drawForm(toolWith(schema), {
      initial: { headers: { accept: 'a' } },
    })
    await screen.getByRole('button', { name: 'Add entry' }).click()
    const name = screen.getByRole('textbox', { name: 'Name of entry 2' })
    await name.fill('accept')
    await userEvent.tab()
    await expect.element(screen.getByText('This name is taken')).toBeVisible()
    await name.fill('host')
    await userEvent.keyboard('{Enter}')
    await screen.getByRole('textbox', { name: 'Value of host' }).fill('here')
    expect(state().value).toEqual({ headers: { accept: 'a', host: 'here' } })
  })
})

describe('an empty field', () => {
  test('that may be null is null, one that may be left out is left out', async () => {
    const schema = {
      type: 'object',
      required: ['a'],
      properties: { a: { type: ['string', 'null'] }, b: { type: 'string' } },
    }
    const { screen, state } = await drawForm(toolWith(schema))
    expect(state().value).toEqual({ a: null })
    const a = screen.getByRole('textbox', { name: 'A', exact: true })
    const b = screen.getByRole('textbox', { name: 'B', exact: true })
    await a.fill('x')
    await b.fill('y')
    expect(state().value).toEqual({ a: 'x', b: 'y' })
    await a.clear()
    await b.clear()
    expect(state().value).toEqual({ a: null })
    expect(state().check()).toBe(true)
  })
})

/** Answers of the server by path, for as long as a test runs. */
async function withAnswers(answers: Record<string, JsonValue>, run: () => Promise<void>) {
  const real = window.fetch
  window.fetch = async (request) => {
    const { pathname } = new URL(
      request instanceof Request ? request.url : String(request),
      location.href,
    )
    if (!pathname.startsWith('/api/')) return real(request)
    const answer = answers[pathname]
    return answer === undefined
      ? Response.json({ code: 'not_found' }, { status: 404 })
      : Response.json(answer)
  }
  try {
    await run()
  } finally {
    window.fetch = real
  }
}
