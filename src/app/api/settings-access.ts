import type { Caller } from '../../core/kernel/call.ts'
import type { RoleBook } from '../../core/people/role-book.ts'
import { permissionNames, roleNames } from '../../core/policy/roles.ts'
import type { Store } from '../../core/ports.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import type { SettingsApi, SignInProvider } from '../../core/settings/settings-api.ts'
import type { Config } from '../config-schema.ts'
import type { OidcProviderConfig } from '../../features/sign-ins/config.ts'
import { version } from '../version.ts'
import { requireManager } from '../../core/operations/require-permission.ts'

interface SettingsAccessOptions {
  config: Config
  store: Pick<Store, 'kind'>
  roles: RoleBook
}

/** What is configured, without a secret and without the name of one. */
export function createSettingsAccess({ config, store, roles }: SettingsAccessOptions): SettingsApi {
  const shipped: readonly string[] = roleNames
  return {
    async readSettings(caller) {
      requireManager(caller, ['members.manage', 'keys.manage', 'audit.read'])
      const { server, retention, catalogue, approvals, signIn } = config
      return {
        version,
        store: store.kind,
        ...(server.publicUrl !== undefined && { publicUrl: server.publicUrl }),
        retention: {
          ...(retention.days !== undefined && { days: retention.days }),
          goneToolDays: catalogue.keepDays,
        },
        approvals: { expiresIn: approvals.expiresIn, allowSelf: approvals.allowSelf },
        signIn: {
          password: signIn.password,
          providers: signIn.oidc.filter((provider) => mayKnow(caller, provider)).map(toProvider),
        },
        roles: roles.names.map((name) => ({
          name,
          permissions: roles.permissionsOf({ role: name, permissions: [] }),
          isShipped: shipped.includes(name),
        })),
        permissions: permissionNames,
      }
    },
  }
}

/** Whom another tenant signs in with is that tenant's business, and of who runs the installation. */
function mayKnow({ tenant, home = tenant }: Caller, provider: OidcProviderConfig): boolean {
  return provider.tenant === tenant || home === defaultTenant
}

function toProvider(provider: OidcProviderConfig): SignInProvider {
  const { name, label, issuer, tenant, allowedDomains, provision } = provider
  return {
    name,
    label,
    issuer,
    tenant,
    ...(allowedDomains !== undefined && { allowedDomains }),
    ...(provision !== undefined && { joinsAs: provision.role }),
  }
}
