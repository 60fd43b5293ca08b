import { expect, test } from 'vitest'
import type { Registry } from '../registry.ts'
import type { TenantView } from '../rules/tenant-view.ts'
import type { OwnTool } from '../tenant-tables.ts'
import { createToolSources } from './tool-sources.ts'

async function openSources() {
  const own = new Map<string, readonly OwnTool[]>()
  const registry = {
    update: () => [],
    setOwn(tenant: string, _source: string, tools: readonly OwnTool[]) {
      if (tools.length === 0) own.delete(tenant)
      else own.set(tenant, tools)
    },
    setOverrides: () => undefined,
  } as unknown as Registry
  const sources = createToolSources(registry)
  await sources.attach({
    name: 'agents',
    toolsFor: async (owner) => (owner === 'everyone' ? [] : [{} as OwnTool]),
  })
  const all = new Map<string, TenantView>()
  const use = (slug: string) => {
    const view = all.get(slug) ?? ({ tenant: { slug } } as TenantView)
    all.set(slug, view)
    return sources.ready(view)
  }
  return { sources, own, use }
}

test('the tools of the least recently used tenant are dropped first, with a notification, and return on request', async () => {
  const { sources, own, use } = await openSources()
  const forgotten: string[] = []
  sources.onForget((tenant) => forgotten.push(tenant))
  for (let number = 1; number <= 500; number += 1) await use(`t${number}`)
  await use('t1')
  await use('t501')
  expect(forgotten).toEqual(['t2'])
  expect([own.has('t1'), own.has('t2'), own.size]).toEqual([true, false, 500])
  await use('t2')
  expect(forgotten).toEqual(['t2', 't3'])
  expect([own.has('t2'), own.size]).toEqual([true, 500])
})
