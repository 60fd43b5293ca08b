import type { Caller } from '../../core/kernel/call.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import type { RoleBook } from '../../core/people/role-book.ts'
import { permissionNames, roleNames } from '../../core/policy/roles.ts'
import type { Store } from '../../core/ports.ts'
import { defaultTenant } from '../../core/rules/tenant.ts'
import type { OidcProviderConfig, SignInConfig } from '../sign-ins/config.ts'
import { settings, type SignInProvider } from './schemas.ts'

/** The part of the configuration that settings show. */
export interface SettingsConfig {
  readonly server: { readonly publicUrl?: string | undefined }
  readonly retention: { readonly days?: number | undefined }
  readonly catalogue: { readonly keepDays: number }
  readonly approvals: { readonly expiresIn: string; readonly allowSelf: boolean }
  readonly signIn: SignInConfig
}

export interface SettingsParts {
  config: SettingsConfig
  store: Pick<Store, 'kind'>
  roles: RoleBook
  version: string
}

const define = operationsOf<SettingsParts>('Server')
const shipped: readonly string[] = roleNames

const readSettings = define({
  http: 'GET /api/v1/settings',
  summary: 'Get the settings of this server',
  description: 'Settings of the configuration: retention, sign-in methods, roles. No secrets.',
  needs: { oneOf: ['members.manage', 'keys.manage', 'audit.read'] },
  agents: 'none',
  answer: { description: 'What is configured', schema: settings },
  async run(_input, { caller, parts: { config, store, roles, version } }) {
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
        permissions: [...roles.permissionsOf({ role: name, permissions: [] })],
        isShipped: shipped.includes(name),
      })),
      permissions: [...permissionNames],
    }
  },
})

/** Everything that can be asked about settings, by library method. */
export const settingOperations = { readSettings }

/** Another tenant's sign-in providers are visible only to that tenant and the operator. */
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
    ...(allowedDomains !== undefined && { allowedDomains: [...allowedDomains] }),
    ...(provision !== undefined && { joinsAs: provision.role }),
  }
}
