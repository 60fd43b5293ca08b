import { expect, test } from 'vitest'
import type { Registry } from '../../core/registry.ts'
import type { OwnTool } from '../../core/tenant-tables.ts'
import { createTenantTools } from './tenant-tools.ts'
import type { TenantView } from '../../core/rules/tenant-view.ts'
import type { TenantViews } from './tenant-views.ts'

function openLibrary() {
  const own = new Map<string, readonly OwnTool[]>()
  const registry = {
    setOwn(tenant: string, _source: string, tools: readonly OwnTool[]) {
      if (tools.length === 0) own.delete(tenant)
      else own.set(tenant, tools)
    },
  } as unknown as Registry
  const views = { subscribe: () => () => undefined } as unknown as TenantViews
  const library = createTenantTools(registry, views)
  library.add({ name: 'agents', toolsFor: async () => [{} as OwnTool] })
  const all = new Map<string, TenantView>()
  const use = (slug: string) => {
    const view = all.get(slug) ?? ({ tenant: { slug } } as TenantView)
    all.set(slug, view)
    return library.ready(view)
  }
  return { library, own, use }
}

test('the tools of whoever was not seen longest go first, and that is told; they come back when asked for', async () => {
  const { library, own, use } = openLibrary()
  const forgotten: string[] = []
  library.onForget((tenant) => forgotten.push(tenant))
  for (let number = 1; number <= 500; number += 1) await use(`t${number}`)
  await use('t1')
  await use('t501')
  expect(forgotten).toEqual(['t2'])
  expect([own.has('t1'), own.has('t2'), own.size]).toEqual([true, false, 500])
  await use('t2')
  expect(forgotten).toEqual(['t2', 't3'])
  expect([own.has('t2'), own.size]).toEqual([true, 500])
})
