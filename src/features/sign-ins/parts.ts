import type { Stores } from '../stores.ts'
import type { RoleBook } from '../../core/people/role-book.ts'
import type { SignInConfig } from './config.ts'
import type { OidcClients } from './oidc-clients.ts'
import type { PasswordHasher } from './password-hasher.ts'
import type { SignInStore } from './sign-in-store.ts'

/** The dependencies of signing in. */
export interface SignInParts {
  store: Pick<Stores, 'members' | 'tenants' | 'events' | 'now'> & { signIn: SignInStore }
  config: SignInConfig
  roles: RoleBook
  passwords: PasswordHasher
  oidc: OidcClients
  /** False for a tenant that does not exist; throws tenant_suspended. */
  isTenantOpen(slug: string): Promise<boolean>
  /**
   * The current permissions of a key; undefined once it is revoked or expired, or its owner may no
   * longer act.
   */
  keyPermissions(tenant: string, id: string): Promise<readonly string[] | undefined>
}
