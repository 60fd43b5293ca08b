import type { Tenant, TenantStore } from './tenant.ts'

/** Every tenant, a page at a time. */
export async function* allTenants({
  tenants,
}: {
  tenants: Pick<TenantStore, 'list'>
}): AsyncGenerator<Tenant> {
  let after: string | undefined
  do {
    const page = await tenants.list({ after, limit: 200 })
    yield* page.items
    after = page.next
  } while (after !== undefined)
}
