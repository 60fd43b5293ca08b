import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { openCrib, type OpenCrib } from '../src/app/open-crib.ts'
import { ownerOf } from '../src/app/owner.ts'
import { operationsOf } from '../src/core/operations/operation.ts'
import { rolePermissions } from '../src/core/policy/roles.ts'
import { createHttpApp, type HttpApp } from '../src/doors/http/create-http-app.ts'
import { operations } from '../src/features/operations.ts'
import { openTestStore } from '../src/testing/open-test-store.ts'
import { routesOf } from './isolation/generate-steps.ts'
import { offering } from './isolation/offering.ts'
import type { ApiDocument } from './isolation/sample-request.ts'
import type { RouteName } from './isolation/walk.ts'
import { askAs, guardsOf } from './permissions/ask-as.ts'
import { type Asker, findGaps, type Guard } from './permissions/find-gaps.ts'

/** Each role, a key without any permission, and one with all of them that is bound to an agent. */
const askers: readonly Asker[] = [
  ...Object.entries(rolePermissions).map(([name, scopes]) => ({ name, scopes })),
  { name: 'nobody', scopes: [] },
  { name: 'bound', scopes: ['*'], agent: 'narrow' },
]

const callers: Guard = { needs: 'tools.call', agents: 'own' }
const chatters: Guard = { needs: 'agents.chat', agents: 'own' }
const runners: Guard = { needs: { all: ['agents.chat', 'tools.call'] }, agents: 'own' }
const readers: Guard = { needs: 'signed-in', agents: 'own' }

/** Routes by hand under `/api/v1`: operations say themselves what they need. */
const byHand: Readonly<Record<RouteName, Guard>> = {
  'POST /api/v1/tools/{name}/calls': callers,
  'POST /api/v1/tools/{name}/ask': callers,
  'GET /api/v1/offer': callers,
  'GET /api/v1/changes': readers,
  'POST /api/v1/agents/{slug}/chat': runners,
  'GET /api/v1/agents/{slug}/chat/{conversation}/stream': chatters,
}

/** Operations that look at who asks, not only at what they hold: what these need of a key. */
const ofKeys: Readonly<Record<RouteName, Guard>> = {
  // People of the tenant see them without.
  'GET /api/v1/members/names': {
    needs: { oneOf: ['members.manage', 'audit.read'] },
    agents: 'none',
  },
  // A key that is bound to the agent sees them without.
  'GET /api/v1/agents/{slug}/tools': { needs: 'policy.read', agents: 'own' },
}

/** What anybody may ask: it has a token or a session of its own, or is how one signs in. */
const open: readonly RouteName[] = [
  'POST /api/v1/calls/{id}/complete',
  'POST /api/v1/calls/{id}/progress',
  'POST /api/v1/sign-in',
  'POST /api/v1/sign-out',
  'POST /api/v1/invitations/accept',
]

let crib: OpenCrib
let app: HttpApp
const tokens = new Map<string, string>()

beforeAll(async () => {
  const config = { tools: [], agents: [{ slug: 'narrow' }] }
  const store = await openTestStore()
  const onWarning = () => undefined
  crib = await openCrib({ cwd: '/', data: '/nowhere', env: {}, store, config, onWarning })
  app = createHttpApp({ api: crib.api, version: 'test' })
})
afterAll(async () => {
  await crib.close()
  await crib.store.close()
})

async function tokenOf({ name, scopes, agent }: Asker): Promise<string> {
  const known = tokens.get(name)
  if (known !== undefined) return known
  const key = { tenant: 'default', name: 'walker', scopes: [...scopes], agent }
  const { token } = await crib.store.keys.create(key)
  tokens.set(name, token)
  return token
}

const documentOf = (door: HttpApp) => door.openApi() as unknown as ApiDocument

const askAt = (door: HttpApp) => askAs(door, tokenOf)

test('every route is an operation, or is listed here with what it needs', () => {
  const routes = routesOf(documentOf(app)).filter((route) => route.includes(' /api/v1/'))
  const listed = [...Object.keys(guardsOf(operations)), ...Object.keys(byHand), ...open]
  expect(routes.toSorted()).toEqual(listed.toSorted())
})

test('an operation answers who holds what it needs, and refuses everybody else', async () => {
  const guards = { ...guardsOf(operations), ...ofKeys }
  expect(Object.keys(guards).length).toBeGreaterThan(100)
  expect(await findGaps({ guards, askers, ask: askAt(app) })).toEqual([])
})

test('so does a route by hand', async () => {
  expect(await findGaps({ guards: byHand, askers, ask: askAt(app) })).toEqual([])
})

describe('a walk finds', () => {
  const define = operationsOf<object>('Test')
  const secret = define({
    http: 'GET /api/v1/secret-plans',
    summary: 'Read the plans',
    needs: 'policy.read',
    agents: 'none',
    answer: { description: 'The plans', schema: z.object({ plans: z.string() }) },
    run: async () => ({ plans: 'all of them' }),
  })
  const guards = guardsOf({ secret })

  test('nothing where the check is there', async () => {
    expect(await findGaps({ guards, askers, ask: askAt(offering(crib, { secret })) })).toEqual([])
  })

  test('an operation that forgets its check', async () => {
    const unchecked = {
      secret: { run: () => secret.run({}, { caller: ownerOf(), parts: {} }) },
    }
    const ask = askAt(offering(crib, { secret }, unchecked))
    const gaps = await findGaps({ guards, askers, ask })
    expect(gaps.map((gap) => / answers (.* with \d+):/.exec(gap)?.[1])).toEqual([
      'member with 200',
      'nobody with 200',
      'bound with 200',
      'all but policy.read with 200',
    ])
  })

  test('an operation that asks for more than it says', async () => {
    const strict = offering(crib, { secret: { ...secret, needs: 'policy.write' } })
    const gaps = await findGaps({ guards, askers, ask: askAt(strict) })
    expect(gaps.map((gap) => / answers (.* with \d+):/.exec(gap)?.[1])).toEqual([
      'viewer with 403',
      'auditor with 403',
      'all but policy.read with 200',
      'policy.read with 403',
    ])
  })
})
