import { expect, test } from 'vitest'
import type { LooseEvents } from '../../core/events/event-log.ts'
import { createDenials, type Denial } from './denials.ts'

function openDenials(windowMs: number) {
  const written: { tenant: string; host: string; count: number }[] = []
  const record = async (entries: readonly LooseEvents[]) => {
    for (const { tenant, events } of entries) {
      for (const { data } of events) {
        const { host, count } = data as { host: string; count: number }
        written.push({ tenant, host, count })
      }
    }
  }
  const denials = createDenials({
    events: { record },
    now: () => 0,
    onWarning: () => undefined,
    windowMs,
  })
  return { ...denials, written }
}

function denial(host: string, tenant = 'acme'): Denial {
  const data = { host, port: 443, rule: '*', level: 'tenant', setBy: 'anna', pack: 'web' }
  return { tenant, principal: { kind: 'system', id: 'network' }, data }
}

test('the first refusal is recorded at once, and its repeats are counted', async () => {
  const { record, close, written } = openDenials(60_000)
  for (let at = 0; at < 1000; at++) record(denial('a.example'))
  record(denial('a.example', 'beta'))
  expect(written).toEqual([
    { tenant: 'acme', host: 'a.example', count: 1 },
    { tenant: 'beta', host: 'a.example', count: 1 },
  ])
  await close()
  expect(written.slice(2)).toEqual([{ tenant: 'acme', host: 'a.example', count: 999 }])
})

test('repeats are recorded when their window ends', async () => {
  const { record, written } = openDenials(20)
  record(denial('a.example'))
  record(denial('a.example'))
  await expect.poll(() => written.map(({ count }) => count)).toEqual([1, 1])
})

test('a scan of many hosts fills neither the log nor the memory, and none is lost', async () => {
  const { record, close, written } = openDenials(60_000)
  for (let at = 0; at < 5000; at++) record(denial(`h${at}.example`))
  record(denial('a.example', 'beta'))
  await close()
  const ofAcme = written.filter(({ tenant }) => tenant === 'acme')
  expect(ofAcme.length).toBeLessThanOrEqual(102)
  expect(ofAcme.reduce((sum, { count }) => sum + count, 0)).toBe(5000)
  expect(written).toContainEqual({ tenant: 'beta', host: 'a.example', count: 1 })
})
