import type { Caller } from '../kernel/call.ts'

/** A provider that people of a tenant sign in with. */
export interface SignInProvider {
  name: string
  label: string
  issuer: string
  /** Whose members sign in with it. */
  tenant: string
  /** Only addresses of these domains. */
  allowedDomains?: readonly string[]
  /** Whoever is no member yet becomes one with this role; without it they are refused. */
  joinsAs?: string
}

/** A role and what it holds. */
export interface ListedRole {
  name: string
  permissions: readonly string[]
  /** It comes with the product; others stand in the configuration. */
  isShipped: boolean
}

/** What the configuration says that people want to know and can't change over the API. */
export interface Settings {
  version: string
  store: 'pglite' | 'postgres'
  /** The address people use, where one is configured. */
  publicUrl?: string
  retention: {
    /** Calls that ended, and events, are removed after so many days; absent: kept for ever. */
    days?: number
    /** How long grants and settings of a tool that is gone are kept. */
    goneToolDays: number
  }
  approvals: { expiresIn: string; allowSelf: boolean }
  signIn: { password: boolean; providers: readonly SignInProvider[] }
  roles: readonly ListedRole[]
  /** What keys and roles may be given; tools bring more of their own. */
  permissions: readonly string[]
}

/** How this crib is set up. */
export interface SettingsApi {
  /** Needs `members.manage`, `keys.manage` or `audit.read`. Providers of other tenants are told to `default` alone. */
  readSettings(caller: Caller): Promise<Settings>
}
