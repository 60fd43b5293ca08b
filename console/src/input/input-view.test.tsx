import { afterEach, beforeEach, expect, test } from 'vitest'
import { stage } from '../testing/output-stage.tsx'
import { violations } from '../testing/violations.ts'
import { InputView } from './input-view.tsx'

const real = window.fetch
let asked: unknown[]
let lookup: Record<string, unknown>

beforeEach(() => {
  asked = []
  lookup = {
    name: 'note.list',
    effect: 'read',
    state: 'ready',
    openWorld: false,
    inputSchema: { type: 'object', properties: { ids: {}, q: {} } },
  }
  window.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith('/api/')) return real(input, init)
    if (pathname === '/api/v1/tools/note.list') return Response.json(lookup)
    if (pathname === '/api/v1/tools/note.list/calls') {
      asked.push(((await request.json()) as { input: unknown }).input)
      return Response.json({ callId: 'call_1', status: 'completed', output: { notes } })
    }
    return Response.json({ code: 'not_found', message: 'Not found' }, { status: 404 })
  }
})
afterEach(() => {
  window.fetch = real
})

const notes = [
  { id: 'n1', text: 'Opening hours\u202E: eight to five' },
  { id: 'n2', text: 'The old price list' },
]
const tool = {
  name: 'demo.delete',
  inputSchema: {
    type: 'object',
    properties: {
      ids: {
        type: 'array',
        items: { type: 'string', 'x-entity-type': 'note', 'x-entity-tool': 'note.list' },
      },
      keep: { type: 'string', 'x-entity-type': 'note', 'x-entity-tool': 'note.list' },
    },
  },
}

test('things are shown by name with their id, all looked up in one call; unknown ones are marked', async () => {
  const value = { ids: ['n1', 'n3'], keep: 'n2' }
  const screen = await stage(<InputView title="Input" tool={tool} value={value} />)
  const region = screen.getByRole('region', { name: 'Input' })
  // Text that hides itself is made visible: a name must not read as another.
  await expect
    .element(region)
    .toHaveTextContent(
      'IDsOpening hours⟨U+202E⟩: eight to fiven1n3not foundKeepThe old price listn2Names from note.list',
    )
  expect(asked).toEqual([{ ids: ['n1', 'n3', 'n2'] }])
  expect(await violations()).toEqual([])
  await screen.getByText('JSON').click()
  await expect.element(screen.getByRole('tree', { name: 'Input' }).getByText('n3')).toBeVisible()
})

test('a tool that reaches outside is asked only when somebody wants it', async () => {
  lookup['openWorld'] = true
  const screen = await stage(<InputView title="Input" tool={tool} value={{ keep: 'n2' }} />)
  const button = screen.getByRole('button', { name: 'Look up names' })
  await button.click()
  await expect.element(screen.getByText('The old price list')).toBeVisible()
  expect(asked).toHaveLength(1)
})

test('nothing is looked up for people who may not call tools, or with a tool that changes data', async () => {
  const screen = await stage(<InputView title="Input" tool={tool} value={{ keep: 'n2' }} />, {
    permissions: ['calls.read'],
  })
  await expect.element(screen.getByText('n2')).toBeVisible()
  lookup['effect'] = 'write'
  const other = await stage(<InputView title="Other" tool={tool} value={{ keep: 'n1' }} />)
  await expect.element(other.getByText('n1')).toBeVisible()
  expect(asked).toEqual([])
})
