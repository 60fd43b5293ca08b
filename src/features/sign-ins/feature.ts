import { ToolError } from '../../core/kernel/errors.ts'
import { openOperations } from '../../core/operations/run-operation.ts'
import type { SignInDoor } from '../../core/sign-in/sign-in.ts'
import type { Engine } from '../../store/engine/engine.ts'
import type { Feature, OpenFeature } from '../feature.ts'
import { accountOperations } from './account-operations.ts'
import type { SignInConfig } from './config.ts'
import { createInvitationDoor, invitationOperations } from './invitation-operations.ts'
import { createOidcDoor } from './oidc.ts'
import { createOidcClients, type OidcSurroundings } from './oidc-clients.ts'
import { createLink, signInOperations } from './operations.ts'
import type { SignInParts } from './parts.ts'
import { createPasswordHasher } from './password-hasher.ts'
import { createBrowserDoor } from './sign-in.ts'
import { createSignInStore } from './store/sign-in-store.ts'

const sweepEveryMs = 600_000

/** Browsers that members are signed in on, and how they get there. */
export const signInsFeature: Feature = {
  name: 'sign-ins',
  open: ({ config, host, ...kernel }) =>
    openSignIns({
      ...kernel,
      config: config.signIn,
      fetchFor: ({ issuer }) =>
        host.network.fetchFor({ key: `oidc ${issuer}`, trusted: [new URL(issuer)] }),
    }),
}

interface SignInOptions
  extends Omit<SignInParts, 'store' | 'passwords' | 'oidc'>, Pick<OidcSurroundings, 'fetchFor'> {
  store: Omit<SignInParts['store'], 'signIn'>
  engine: Engine
  env: Readonly<Record<string, string | undefined>>
}

/** Opens the feature without the rest of a crib, for tests of the doors too. */
export function openSignIns({ env, engine, fetchFor, ...options }: SignInOptions) {
  const { config } = options
  const signIn = createSignInStore(engine)
  const { members, tenants, events, now } = options.store
  const store = { members, tenants, events, now, signIn }
  checkRoles(config, options.roles.names)
  const oidc = createOidcClients(config.oidc, { env, now, fetchFor })
  const parts: SignInParts = { ...options, store, oidc, passwords: createPasswordHasher() }
  const table = { ...signInOperations, ...accountOperations, ...invitationOperations }
  return {
    operations: openOperations(table, parts),
    door: toDoor(parts),
    sweeps: [
      { name: 'sign-ins', everyMs: sweepEveryMs, isWoken: false, run: () => signIn.sweep() },
    ],
  } satisfies OpenFeature
}

function toDoor(parts: SignInParts): SignInDoor {
  return {
    ...createBrowserDoor(parts),
    ...createInvitationDoor(parts),
    ...createOidcDoor(parts),
    createStartLink: async (caller) =>
      (await createLink(parts, caller, { opensAtOnce: true })).path,
  }
}

function checkRoles({ oidc }: SignInConfig, names: readonly string[]): void {
  for (const { name, provision } of oidc) {
    if (provision === undefined || names.includes(provision.role)) continue
    throw new ToolError(
      'invalid_config',
      `signIn.oidc ${name} gives the role ${provision.role}, which does not exist`,
      { fix: `Choose one of ${names.join(', ')}, or declare it under roles.` },
    )
  }
}
