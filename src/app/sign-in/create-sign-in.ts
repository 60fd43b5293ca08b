import { ToolError } from '../../core/errors.ts'
import type { RoleBook } from '../../core/people/role-book.ts'
import type { Store } from '../../core/ports.ts'
import type { SignInApi } from '../../core/sign-in/sign-in-api.ts'
import { createAccountAccess } from '../api/account-access.ts'
import { createInvitationAccess } from '../api/invitation-access.ts'
import { createOidcAccess } from '../api/oidc-access.ts'
import { createSessionAccess } from '../api/session-access.ts'
import { createSignInAccess } from '../api/sign-in-access.ts'
import type { Config } from '../config-schema.ts'
import type { TenantViews } from '../governance/tenant-views.ts'
import { createOidcClients } from './oidc-clients.ts'
import { createPasswordHasher } from './password-hasher.ts'

export interface SignInOptions {
  store: Store
  config: Pick<Config, 'signIn'>
  roles: RoleBook
  views: Pick<TenantViews, 'find'>
  env: Readonly<Record<string, string | undefined>>
}

/** Everything about signing in that a door may ask for. */
export function createSignIn({ store, config, roles, views, env }: SignInOptions): SignInApi {
  for (const { name, provision } of config.signIn.oidc) {
    if (provision === undefined || roles.names.includes(provision.role)) continue
    throw new ToolError(
      'invalid_config',
      `signIn.oidc ${name} gives the role ${provision.role}, which there is not`,
      { fix: `Choose one of ${roles.names.join(', ')}, or declare it under roles.` },
    )
  }
  const oidc = createOidcClients(config.signIn.oidc, { env, now: store.now })
  const parts = { store, config, roles, views, oidc, passwords: createPasswordHasher() }
  return {
    ...createSignInAccess(parts),
    ...createSessionAccess(parts),
    ...createAccountAccess(parts),
    ...createInvitationAccess(parts),
    ...createOidcAccess(parts),
  }
}
