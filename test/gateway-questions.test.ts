import { afterEach, expect, test } from 'vitest'
import type { CallerClient } from '../src/core/kernel/context/caller-client.ts'
import type { OpenStores } from '../src/features/open-stores.ts'
import { freshStore } from '../src/testing/fresh-store.fixture.ts'
import { serveAsking } from './mcp/upstream/asking-http.ts'
import { type GatewayCrib, hostile, openGatewayCrib, textOf, until } from './setup/gateway-crib.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

interface Person extends CallerClient {
  asked: string[]
}

/** Somebody who says who they are, after a while. */
function personOf(who: string, afterMs = 100): Person {
  const asked: string[] = []
  return {
    asked,
    abilities: new Set(['elicitation.form']),
    async ask(requests) {
      asked.push(JSON.stringify(requests))
      await new Promise((resolve) => setTimeout(resolve, afterMs))
      return { answer: { action: 'accept', content: { who } } }
    },
    log: () => undefined,
  }
}

async function openHostile(config = {}, store?: OpenStores): Promise<GatewayCrib> {
  const crib = await openGatewayCrib({ bad: hostile('', { trustHints: ['*'] }) }, { config, store })
  open.push(crib)
  await until(async () => (await crib.tools('mcp:bad:'))['mcp:bad:ask'] === 'ready')
  return crib
}

test('what was asked for a call that was given up is put to nobody else, of whichever tenant', async () => {
  const crib = await openHostile({ tenants: [{ slug: 'acme' }] })
  const [ann, bob] = [personOf('ann'), personOf('bob')]
  for (const tool of ['mcp:bad:wait', 'mcp:bad:ask-later']) {
    const input = { ms: 800, who: 'ann' }
    const gone = await crib.call('mcp:bad:ask-later', input, { client: ann, timeoutMs: 200 })
    expect(gone.error?.code).toBe('timeout')
    await crib.call(tool, { ms: 1200, who: 'bob' }, { client: bob, tenant: 'acme' })
    expect(bob.asked.filter((question) => question.includes('ann'))).toEqual([])
  }
  // Whoever asks next is answered all the same.
  const input = { ms: 10, who: 'bob' }
  expect(textOf(await crib.call('mcp:bad:ask-later', input, { client: bob }))).toContain('accept')
  expect(ann.asked).toEqual([])
})

test('a tool that only reads is called again, alone, where its first question could be anybody’s', async () => {
  const crib = await openHostile()
  const ask = async (who: string) =>
    textOf(await crib.call('mcp:bad:ask-reading', { who }, { client: personOf(who) }))
  const answers = await Promise.all([ask('ann'), ask('bob')])
  expect(answers[0]).toContain('{"who":"ann"}')
  expect(answers[1]).toContain('{"who":"bob"}')
})

test('more callers than there are connections wait for each other, and others for none of them', async () => {
  const crib = await openHostile()
  const ask = async (who: string) =>
    textOf(await crib.call('mcp:bad:ask', {}, { client: personOf(who, 500) }))
  await ask('first')
  const people = Array.from({ length: 12 }, (_none, number) => `person ${number}`)
  const asked = Promise.all(people.map(ask))
  expect(textOf(await crib.call('mcp:bad:say', { a: 1 }))).toBe('{"a":1}')
  const answers = await asked
  people.forEach((who, index) => expect(answers[index]).toContain(`{"who":"${who}"}`))
  const status = crib.gateway.findStatus({ tenant: 'default', server: 'bad' })
  expect(status?.connections).toBeLessThanOrEqual(8)
  expect(status?.state).toBe('connected')
})

test('that a tool asks is known after a restart, so its first two calls at once are both answered', async () => {
  const store = await freshStore()
  const ask = async (crib: GatewayCrib, who: string) =>
    textOf(await crib.call('mcp:bad:ask', {}, { client: personOf(who) }))
  const first = await openHostile({}, store)
  expect(await ask(first, 'ann')).toContain('{"who":"ann"}')
  await first.close()
  open.length = 0
  const second = await openHostile({}, store)
  const answers = await Promise.all([ask(second, 'ann'), ask(second, 'bob')])
  expect(answers[0]).toContain('{"who":"ann"}')
  expect(answers[1]).toContain('{"who":"bob"}')
})

test('a connection that a call had alone may end as often as it likes: the server is up for the others', async () => {
  const crib = await openHostile()
  const stateOf = () => crib.gateway.findStatus({ tenant: 'default', server: 'bad' })?.state
  const client = personOf('ann', 10)
  await crib.call('mcp:bad:ask-and-die', {}, { client })
  for (let time = 0; time < 3; time += 1) {
    const other = crib.call('mcp:bad:wait', { ms: 1000 })
    const lost = await crib.call('mcp:bad:ask-and-die', { die: true }, { client })
    expect(lost.error?.code).toBe('outcome_unknown')
    expect(stateOf()).toBe('connected')
    expect(textOf(await other)).toBe('waited')
  }
  expect(textOf(await crib.call('mcp:bad:say', { a: 1 }))).toBe('{"a":1}')
})

test('over HTTP a question belongs to the call on whose stream it comes', async () => {
  const people = ['ann', 'bob', 'cleo']
  const server = await serveAsking(people.length)
  open.push(server)
  const crib = await openGatewayCrib({ old: { url: server.url } })
  open.push(crib)
  await until(async () => (await crib.tools('mcp:old:'))['mcp:old:ask'] === 'ready')
  const clients = people.map((who) => personOf(who))
  const results = await Promise.all(
    people.map((who, index) => crib.call('mcp:old:ask', { who }, { client: clients[index] })),
  )
  people.forEach((who, index) => {
    expect(textOf(results[index] ?? ({} as never))).toContain(`{"who":"${who}"}`)
    expect(clients[index]?.asked.join()).toContain(`question of ${who}`)
  })
  expect(crib.gateway.findStatus({ tenant: 'default', server: 'old' })?.connections).toBe(1)
})
