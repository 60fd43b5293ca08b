import type { Store } from '../../core/ports.ts'
import type { Tenant } from '../../core/rules/tenant.ts'

/** Every tenant, a page at a time. */
export async function* allTenants({ tenants }: Pick<Store, 'tenants'>): AsyncGenerator<Tenant> {
  let after: string | undefined
  do {
    const page = await tenants.list({ after, limit: 200 })
    yield* page.items
    after = page.next
  } while (after !== undefined)
}
