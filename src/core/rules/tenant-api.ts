import type { Caller } from '../call.ts'
import type { Page } from '../page.ts'
import type { Tenant, TenantChange } from './tenant.ts'

/** What operators do with tenants: callers of the default tenant who hold `tenants.manage`. */
export interface TenantApi {
  /**
   * The caller as it acts in this tenant, with its own permissions and as itself. Its own tenant is
   * open to everybody, others to operators; for anybody else they are not_found like missing ones.
   */
  actIn(caller: Caller, tenant: string): Promise<Caller>
  /** By slug. */
  listTenants(caller: Caller, query: { after?: string; limit: number }): Promise<Page<Tenant>>
  findTenant(caller: Caller, slug: string): Promise<Tenant>
  createTenant(caller: Caller, tenant: { slug: string; name?: string }): Promise<Tenant>
  /** Renames it, suspends it, or takes it up again. */
  changeTenant(caller: Caller, slug: string, change: TenantChange): Promise<Tenant>
  /** With everything of its. `confirm` is the slug once more: there is no way back. */
  deleteTenant(caller: Caller, slug: string, confirm: string): Promise<void>
}
