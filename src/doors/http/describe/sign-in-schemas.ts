import { z } from 'zod'
import { shortText } from '../../../core/operations/fields.ts'

const time = z.iso.datetime().meta({ format: 'date-time' })

/** A browser that somebody is signed in on. */
export const session = z
  .object({
    id: z.string(),
    member: z.string(),
    method: z.enum(['link', 'password', 'oidc', 'invitation']),
    userAgent: z.string().optional(),
    address: z.string().optional(),
    createdAt: time,
    lastSeenAt: time,
    expiresAt: time,
  })
  .meta({ id: 'Session' })

export const listedSession = session
  .extend({ isCurrent: z.boolean().meta({ description: 'The one that asks' }) })
  .meta({ id: 'ListedSession' })

/** A person of a tenant, as signing in answers it. */
export const signedInMember = z
  .object({
    id: z.string(),
    tenant: z.string(),
    email: z.string().optional(),
    name: z.string(),
    role: z.string(),
    permissions: z.array(z.string()),
    status: z.enum(['active', 'suspended']),
    createdAt: time,
  })
  .meta({ id: 'SignedInMember' })

export const signedIn = z.object({ session, member: signedInMember }).meta({ id: 'SignedIn' })

export const account = z
  .object({
    tenant: z.string(),
    tenantName: z.string(),
    member: signedInMember,
    hasPassword: z.boolean(),
    needsPassword: z
      .boolean()
      .meta({ description: 'The old password has to be given for a new one' }),
    session: session.optional(),
  })
  .meta({ id: 'Account' })

export const invitation = z
  .object({
    id: z.string(),
    email: z.string(),
    role: z.string(),
    permissions: z.array(z.string()),
    invitedBy: z.string(),
    createdAt: time,
    expiresAt: time,
    state: z.enum(['pending', 'expired']),
  })
  .meta({ id: 'Invitation' })

/** A password travels as it was typed; how long it may be is checked behind the door. */
export const passwordText = z.string().max(1000).meta({ format: 'password' })

export const signInRequest = z
  .strictObject({
    tenant: shortText('The tenant; default unless said').optional(),
    email: shortText('The address of the member'),
    password: passwordText,
  })
  .meta({ id: 'SignInRequest' })

export const acceptRequest = z
  .strictObject({
    token: shortText('The token of the link'),
    name: shortText('How others see you'),
    password: passwordText,
  })
  .meta({ id: 'AcceptInvitationRequest' })
