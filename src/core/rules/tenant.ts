import type { Page } from '../page.ts'

/** An organisation: it owns agents, secrets, members, and all its calls. */
export interface Tenant {
  slug: string
  name: string
  /** Nobody calls or signs in while it is suspended; nothing of it is lost. */
  status: 'active' | 'suspended'
  /** Why it is suspended. */
  reason?: string
  /** Configuration declares it. */
  isDeclared: boolean
  createdAt: string
}

export interface TenantStore {
  /** Declared tenants are there and active; one that is declared no more is suspended, and keeps what it has. */
  sync(declared: readonly { slug: string; name: string }[]): Promise<void>
  find(slug: string): Promise<Tenant | undefined>
  /** By slug. */
  list(query: { after?: string; limit: number }): Promise<Page<Tenant>>
}
