import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import { ownerOf } from '../src/app/owner.ts'
import { defineTool } from '../src/core/define-tool.ts'
import type { CallContext } from '../src/core/kernel/call.ts'
import { ToolError } from '../src/core/kernel/errors.ts'
import { type Operation, operationsOf as defining } from '../src/core/operations/operation.ts'
import { operations } from '../src/features/operations.ts'
import { createHttpApp, type HttpApp } from '../src/doors/http/create-http-app.ts'
import { openTestStore } from '../src/testing/open-test-store.ts'
import { findLeaks, findOpen, findShown } from './isolation/find-leaks.ts'
import { generateSteps, routesOf } from './isolation/generate-steps.ts'
import { makeInstances, specialSteps } from './isolation/make-instances.ts'
import { offering } from './isolation/offering.ts'
import type { ApiDocument } from './isolation/sample-request.ts'
import { type RouteName, type Step, toRequest } from './isolation/walk.ts'

/** Whose things are asked for, and who asks: both are owners, each of a tenant of its own. */
const [theirs, ours] = ['acme', 'beta'] as const
const them = ownerOf(theirs)

const tool = (name: string, more: object = {}) =>
  defineTool({
    name,
    description: 'A tool that both tenants have, for tests of what they see of each other.',
    effect: 'read',
    inputSchema: z.object({}),
    execute: () => 'x'.repeat(60_000),
    ...more,
  })

let crib: OpenCrib
let folder: string
let app: HttpApp
let instances: Record<string, string>
let steps: Record<RouteName, Step>
const keys = { ours: '', theirs: '', stranger: '' }

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'crib-isolation-'))
  crib = await openCrib({
    cwd: '/',
    data: '/nowhere',
    env: {},
    store: await openTestStore(),
    config: { tools: [], workspaces: { folder }, tenants: [{ slug: theirs }, { slug: ours }] },
    tools: [
      tool('mail.read', { maxOutputBytes: 1024 }),
      tool('mail.send', { effect: 'write', approval: 'always' }),
      tool('mail.keep', {
        effect: 'write',
        execute: (_input: unknown, { workspace }: CallContext) =>
          workspace.write('note.txt', 'a file of theirs'),
      }),
      tool('own.read', { tenants: [theirs] }),
    ],
    onWarning: () => undefined,
  })
  app = createHttpApp({ api: crib.api, version: 'test' })
  const keyFor = async (tenant: string, scopes: string[]) =>
    (await crib.store.keys.create({ tenant, name: 'walker', scopes })).token
  keys.ours = await keyFor(ours, ['*'])
  keys.theirs = await keyFor(theirs, ['*'])
  keys.stranger = await keyFor(theirs, [])
  instances = await makeInstances(crib, them)
  steps = await stepsOf(app)
})
afterAll(async () => {
  await crib.close()
  await crib.store.close()
  await rm(folder, { recursive: true, force: true })
})

const documentOf = (door: HttpApp) => door.openApi() as unknown as ApiDocument

function stepsOf(door: HttpApp): Promise<Record<RouteName, Step>> {
  const create = async (operation: RouteName, body: unknown) =>
    askWith(door, keys.theirs)(operation, { params: {}, body })
  return generateSteps({ document: documentOf(door), instances, special: specialSteps, create })
}

const askWith = (door: HttpApp, key: string) => async (operation: RouteName, step: Step) => {
  const { path, init } = toRequest(operation, step, key)
  return door.request(`http://localhost${path}`, init)
}
const ask = (operation: RouteName, step: Step) => askWith(app, keys.ours)(operation, step)

/** Texts that only their things have. */
const marks = [
  'acme',
  'support',
  'hourly',
  'quiet',
  'own.read',
  'a value of',
  'mailing',
  '@acme.test',
  'their-session',
  'busy-hours',
  'wikipages',
]

/** What nobody in their tenant may see without a permission; tenant, tools and agents they share. */
const ownMarks = marks.filter((mark) => !['acme', 'own.read'].includes(mark))

test('every route of the API that takes an id is in the walk', () => {
  const withId = routesOf(documentOf(app)).filter((one) => / \/api\/.*\{/.test(one))
  expect(withId.length).toBeGreaterThan(60)
  expect(Object.keys(steps).toSorted()).toEqual(withId.toSorted())
  const gone = Object.keys(specialSteps).filter((one) => !withId.includes(one as RouteName))
  expect(gone).toEqual([])
})

test('no list shows anything of another tenant', async () => {
  const lists = routesOf(documentOf(app))
  expect(lists.filter((one) => one.startsWith('GET /api/v1/')).length).toBeGreaterThan(40)
  expect(await findShown(ask, lists, marks)).toEqual([])
  const profiles = await ask('GET /api/v1/policies/{kind}', { params: { kind: 'profile' } })
  expect(await profiles.json()).toEqual({ items: [] })
})

test('what belongs to another tenant answers exactly as what is not there', async () => {
  expect(await findLeaks(ask, steps)).toEqual([])
})

test('whoever holds no permission finds nothing of others in the own tenant', async () => {
  const stranger = askWith(app, keys.stranger)
  const open = signedIn(operations)
  expect(open.length).toBeGreaterThan(15)
  const withId = open.filter((one) => steps[one] !== undefined)
  expect(await findOpen(stranger, pick(withId))).toEqual([])
  expect(await findShown(stranger, open, ownMarks)).toEqual([])
})

describe('a walk finds', () => {
  const members = { id: 'The id of the member' }
  const card = z.object({ name: z.string() })
  const answer = { description: 'The card', schema: card }
  const summary = 'Get a card'

  test('an operation that reads what belongs to another tenant', async () => {
    const door = offering(crib, {
      findCard: define({
        http: 'GET /api/v1/members/{id}/card',
        summary,
        needs: 'members.manage',
        agents: 'none',
        params: members,
        answer,
        run: ({ id }) => crib.api.findMember(them, { id }),
      }),
    })
    const leaks = await findLeaks(askWith(door, keys.ours), await stepsOf(door))
    expect(leaks[0]).toMatch(/^GET \/api\/v1\/members\/\{id\}\/card answers 200: .*Ann/)
  })

  test('an operation that answers otherwise where there is something', async () => {
    const door = offering(crib, {
      findCard: define({
        http: 'GET /api/v1/members/{id}/card',
        summary,
        needs: 'members.manage',
        agents: 'none',
        params: members,
        answer,
        async run({ id }) {
          const { name } = await crib.api.findMember(them, { id })
          throw new ToolError('not_found', `${name} is not yours`)
        },
      }),
    })
    const leaks = await findLeaks(askWith(door, keys.ours), await stepsOf(door))
    expect(leaks).toEqual([expect.stringContaining('card has other text')])
  })

  test('a list that shows what belongs to another tenant', async () => {
    const door = offering(crib, {
      listCards: define({
        http: 'GET /api/v1/cards',
        summary,
        needs: 'members.manage',
        agents: 'none',
        answer: { description: 'Cards', schema: z.object({ items: z.array(card) }) },
        run: async () => crib.api.listMembers(them, {}),
      }),
    })
    const cards = routesOf(documentOf(door)).filter((route) => route.endsWith('/cards'))
    const shown = await findShown(askWith(door, keys.ours), cards, marks)
    expect(shown).toEqual(['GET /api/v1/cards shows acme, @acme.test'])
  })

  test('an operation for everybody that does not look whose it is', async () => {
    const extra = {
      findCard: define({
        http: 'GET /api/v1/members/{id}/card',
        summary,
        needs: 'signed-in',
        agents: 'none',
        params: members,
        answer,
        run: ({ id }) => crib.api.findMember(them, { id }),
      }),
    }
    const door = offering(crib, extra)
    const [route] = signedIn(extra)
    const step = (await stepsOf(door))[route ?? ' /'] ?? { params: {} }
    const open = await findOpen(askWith(door, keys.stranger), { [route ?? '']: step })
    expect(open).toEqual(['GET /api/v1/members/{id}/card answers 200'])
  })

  test('a noun that it has nothing of, and says what to do', async () => {
    const gadget = { http: 'GET /api/v1/gadgets/{id}', params: { id: 'The id' } } as const
    const open = { summary, needs: 'members.manage', agents: 'none' } as const
    const find = define({ ...gadget, ...open, run: async () => undefined })
    const made = { id: 'gad_1', name: 'sample' }
    const create = define({
      http: 'POST /api/v1/gadgets',
      ...open,
      body: z.strictObject({ name: z.string() }),
      answer: { status: 201, description: 'It', schema: z.object({ id: z.string() }) },
      run: async () => made,
    })
    await expect(stepsOf(offering(crib, { find }))).rejects.toThrow(
      'The walk has no gadgets of another tenant to ask GET /api/v1/gadgets/{id} for. Let POST /api/v1/gadgets answer 201',
    )
    const steps = await stepsOf(offering(crib, { find, create }))
    expect(steps['GET /api/v1/gadgets/{id}']?.params).toEqual({ id: 'gad_1' })
  })
})

const define = defining<object>('Test')

/** The routes that everybody with a key may ask. */
function signedIn(table: Readonly<Record<string, Operation>>): RouteName[] {
  return Object.values(table)
    .filter(({ needs }) => needs === 'signed-in')
    .map(({ method, path }): RouteName => `${method} ${path}`)
}

function pick(names: readonly RouteName[]): Record<RouteName, Step> {
  return Object.fromEntries(names.map((name) => [name, steps[name] ?? { params: {} }]))
}

test('what is written under a name of theirs is ours, and theirs stays', async () => {
  const { api, store } = crib
  const put = async (operation: RouteName) => {
    const step = steps[operation]
    if (step === undefined) throw new Error(operation)
    expect((await ask(operation, step)).status).toBeLessThan(300)
  }
  await put('PUT /api/v1/secrets/{name}')
  await put('PUT /api/v1/policies/{kind}/{name}')
  const secrets = await store.secrets.read({ tenant: theirs }, ['token'])
  expect(secrets.get('token')).toBe('a value of theirs')
  expect(await api.listPolicyDocuments(them, { kind: 'profile' })).toMatchObject({
    items: [{ body: { allow: ['*.read'] } }],
  })
})

test('what the log says of a refusal does not tell a tool of theirs from one that is not there', async () => {
  const refusalOf = async (name: string) => {
    const { path, init } = toRequest(
      'POST /api/v1/tools/{name}/calls',
      { params: { name }, body: { input: {} } },
      keys.ours,
    )
    const response = await app.request(`http://localhost${path}`, init)
    const { refusalId } = (await response.json()) as { refusalId: string }
    const explained = await ask('GET /api/v1/explain/{id}', { params: { id: refusalId } })
    const { items } = await crib.api.readEvents(ownerOf(ours), { limit: 500 })
    const event = items.findLast(({ type }) => type === 'call.refused')
    const texts = [await explained.text(), JSON.stringify(event?.data)]
    return texts.map((text) =>
      text
        .replaceAll(name, '<name>')
        .replaceAll(refusalId, '<id>')
        .replaceAll(/"at":"[^"]*"/g, ''),
    )
  }
  expect(await refusalOf('own.read')).toEqual(await refusalOf('own.rest'))
})

test('naming an agent, a session or a principal of theirs in a query finds nothing', async () => {
  const queries = [
    '/api/v1/tools?agent=support',
    '/api/v1/explain?agent=support',
    '/api/v1/calls?agent=support',
    '/api/v1/calls?principal=owner',
    '/api/v1/events?types=call.completed',
  ]
  for (const path of queries) {
    const response = await app.request(`http://localhost${path}`, {
      headers: { authorization: `Bearer ${keys.ours}` },
    })
    const text = await response.text()
    const isNothing = response.status === 404 || text.includes('"items":[]')
    expect({ path, isNothing, text: isNothing ? '' : text.slice(0, 300) }).toEqual({
      path,
      isNothing: true,
      text: '',
    })
  }
})
