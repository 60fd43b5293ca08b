import { afterEach, expect, test } from 'vitest'
import { openCrib, type OpenCrib } from '../../src/app/open-crib.ts'
import { ownerOf } from '../../src/app/owner.ts'
import type { Caller } from '../../src/core/kernel/call.ts'
import { freshStore } from '../../src/testing/fresh-store.fixture.ts'
import { type OAuthUpstream, startOAuthUpstream } from '../setup/oauth-upstream.ts'

let crib: OpenCrib | undefined
let upstream: OAuthUpstream | undefined
afterEach(async () => {
  await crib?.close()
  upstream?.stop()
})

/** A server of the configuration, which everybody signs in to for themselves. */
async function open() {
  upstream = await startOAuthUpstream()
  const { docs, signIn } = upstream
  crib = await openCrib({
    cwd: '/',
    data: '/nowhere',
    env: {},
    store: await freshStore(),
    config: {
      tools: [],
      tenants: [{ slug: 'acme' }, { slug: 'beta' }],
      mcpServers: { docs: { url: docs, oauth: {} } },
    },
    onWarning: () => undefined,
  })
  const { api } = crib
  async function connect(caller: Caller, who: string): Promise<void> {
    const { url } = await api.authorizeMcpServer(caller, { name: 'docs' })
    const back = new URL(await signIn(url, who))
    await api.finishMcpSignIn(Object.fromEntries(back.searchParams) as { state: string }, undefined)
    await api.refreshMcpServer(caller, { name: 'docs' })
  }
  async function whoIs(caller: Caller): Promise<string> {
    const { output, error } = await api.call({ tool: 'mcp:docs:whoami', input: {}, caller })
    return error?.code ?? JSON.stringify(output)
  }
  return { connect, whoIs }
}

const person = (tenant: string, id: string): Caller => ({
  ...ownerOf(tenant),
  principal: { kind: 'user', id },
})

test('calls go out with the sign-in of whoever makes them, and of nobody else', async () => {
  const { connect, whoIs } = await open()
  const people: [Caller, string][] = [
    [person('acme', 'ann'), 'ann-of-acme'],
    [person('acme', 'bob'), 'bob-of-acme'],
    // The same name in another tenant is another person.
    [person('beta', 'ann'), 'ann-of-beta'],
  ]
  for (const [caller, who] of people) await connect(caller, who)
  const rounds = Array.from({ length: 4 }, () => people).flat()
  const answers = await Promise.all(rounds.map(([caller]) => whoIs(caller)))
  answers.forEach((answer, index) => expect(answer).toContain(rounds[index]?.[1]))
  expect(await whoIs(person('beta', 'bob'))).toBe('sign_in_required')
  expect(await whoIs({ ...ownerOf('acme'), principal: { kind: 'key', id: 'ann' } })).toBe(
    'sign_in_required',
  )
})

test('who came with an access token signs in to a server in any browser', async () => {
  const { connect, whoIs } = await open()
  const caller = { ...person('acme', 'ann'), signInId: 'oauth https://login.example' }
  await connect(caller, 'ann-of-acme')
  expect(await whoIs(caller)).toContain('ann-of-acme')
})
