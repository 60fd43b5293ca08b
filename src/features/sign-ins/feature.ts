import { ToolError } from '../../core/errors.ts'
import { openOperations, type OpenOperation } from '../../core/operations/run-operation.ts'
import type { SignInDoor } from '../../core/sign-in/sign-in.ts'
import type { Feature } from '../feature.ts'
import { accountOperations } from './account-operations.ts'
import type { SignInConfig } from './config.ts'
import { createInvitationDoor, invitationOperations } from './invitation-operations.ts'
import { createOidcDoor } from './oidc.ts'
import { createOidcClients } from './oidc-clients.ts'
import { createLink, signInOperations } from './operations.ts'
import type { SignInParts } from './parts.ts'
import { createPasswordHasher } from './password-hasher.ts'
import { createBrowserDoor } from './sign-in.ts'

/** Browsers that members are signed in on, and how they get there. */
export const signInsFeature: Feature = {
  name: 'sign-ins',
  open: ({ config, ...kernel }) => openSignIns({ ...kernel, config: config.signIn }),
}

interface SignInOptions extends Omit<SignInParts, 'passwords' | 'oidc'> {
  env: Readonly<Record<string, string | undefined>>
}

export function openSignIns({ env, ...options }: SignInOptions): {
  operations: Record<string, OpenOperation>
  signIn: SignInDoor
} {
  const { store, config } = options
  checkRoles(config, options.roles.names)
  const oidc = createOidcClients(config.oidc, { env, now: store.now })
  const parts: SignInParts = { ...options, oidc, passwords: createPasswordHasher() }
  const table = { ...signInOperations, ...accountOperations, ...invitationOperations }
  return {
    operations: openOperations(table, parts),
    signIn: {
      ...createBrowserDoor(parts),
      ...createInvitationDoor(parts),
      ...createOidcDoor(parts),
      createStartLink: async (caller) =>
        (await createLink(parts, caller, { opensAtOnce: true })).path,
    },
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
