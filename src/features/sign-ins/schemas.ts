import { z } from 'zod'
import { shortText, time } from '../../core/operations/fields.ts'
import { member } from '../people/schemas.ts'

/** A browser in which a person is signed in. */
const signIn = z
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
  .meta({ id: 'SignIn' })

export const listedSignIn = signIn
  .extend({ isCurrent: z.boolean().meta({ description: 'The sign-in that this request uses' }) })
  .meta({ id: 'ListedSignIn' })

export const signedIn = z.object({ signIn, member }).meta({ id: 'SignedIn' })

/** The account of the signed-in person. */
export const account = z
  .object({
    tenant: z.string(),
    tenantName: z.string(),
    member,
    hasPassword: z.boolean(),
    needsPassword: z
      .boolean()
      .meta({ description: 'The current password is needed to set a new one' }),
    signIn: signIn.optional(),
  })
  .meta({ id: 'Account' })

/** An invitation to a tenant. Its link is shown once, and never here. */
export const invitation = z
  .object({
    id: z.string(),
    email: z.string(),
    role: z.string(),
    permissions: z.array(z.string()),
    invitedBy: z.string().meta({ description: '`user:<id>` or `key:<id>`' }),
    createdAt: time,
    expiresAt: time,
    state: z.enum(['pending', 'expired']),
  })
  .meta({ id: 'Invitation' })
export type Invitation = z.output<typeof invitation>

/** Any string: the operation checks the password's length. */
const passwordText = z.string().max(1000).meta({ format: 'password' })

export const passwordRequest = z
  .strictObject({
    current: passwordText.optional(),
    password: passwordText,
    email: shortText('Your address, if you have none yet').optional(),
  })
  .meta({ id: 'PasswordRequest' })

export const invitationRequest = z
  .strictObject({
    email: shortText('Their address'),
    role: shortText('The role they get'),
    permissions: z
      .array(shortText('A permission, or a pattern'))
      .max(200)
      .optional()
      .meta({ description: 'In addition to those of the role' }),
  })
  .meta({ id: 'InvitationRequest' })

export const signInRequest = z
  .strictObject({
    tenant: shortText('The tenant; `default` if omitted').optional(),
    email: shortText('The address of the member'),
    password: passwordText,
  })
  .meta({ id: 'SignInRequest' })

export const acceptRequest = z
  .strictObject({
    token: shortText('The token of the link'),
    name: shortText('Your display name'),
    password: passwordText,
  })
  .meta({ id: 'AcceptInvitationRequest' })
