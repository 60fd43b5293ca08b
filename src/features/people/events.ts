import { z } from 'zod'
import { defineEvents } from '../../core/events/define-events.ts'
import { count, text, texts } from '../../core/operations/payload-fields.ts'

const id = text('The member')
const name = text('What they are called')
const role = text('Their role')
const permissions = texts('Permissions in addition to the role')
const email = text('Their address')
const address = text('The network address they came from')
const invitation = text('The invitation')
const how = {
  method: z
    .enum(['link', 'password', 'oidc', 'invitation'])
    .meta({ description: 'The sign-in method' }),
  via: text('The identity provider').optional(),
  address: address.optional(),
}

const added = { id, name, role, permissions, email: email.optional() }

const fields = z.object({
  name: name.optional(),
  role: role.optional(),
  status: z
    .enum(['active', 'suspended'])
    .optional()
    .meta({ description: 'Whether they may sign in' }),
  permissions: permissions.optional(),
})

export const memberEvents = defineEvents(
  { noun: 'Member', group: 'people', stale: ['members', 'invitations', 'sign-ins'] },
  {
    'member.invited': {
      meaning: 'Somebody was invited; never the link',
      data: () => z.object({ invitation, email, role, permissions }),
    },
    'member.added': {
      meaning: 'Somebody was added as a member without an invitation',
      data: () => z.object(added),
    },
    'member.joined': {
      meaning: 'Somebody accepted an invitation or signed in for the first time',
      data: () => z.object({ ...added, ...how, method: how.method.optional() }),
    },
    'member.changed': {
      meaning: 'Role, permissions, name, status, address or password of a member changed',
      data: () =>
        z.object({
          id,
          name: name.optional(),
          from: fields.optional().meta({ description: 'The changed fields before' }),
          to: fields.optional().meta({ description: 'The changed fields after' }),
          fields: texts('The changed part of the account: `password`, `email`').optional(),
          password: z
            .enum(['set', 'removed'])
            .optional()
            .meta({ description: 'The change of the password by an administrator' }),
        }),
    },
    'member.removed': {
      meaning: 'A member was removed',
      data: () => z.object({ id, name, role, email: email.optional() }),
    },
    'member.signed_in': {
      meaning: 'A member signed in, and how',
      data: () => z.object({ session: text('The sign-in'), ...how }),
    },
    'member.sign_in_failed': {
      meaning: 'Somebody failed to sign in as a member',
      data: () => z.object({ email, method: how.method, address: address.optional() }),
    },
    'member.signed_out': {
      meaning: 'A member signed out, here or everywhere',
      data: () => z.object({ member: id, sessions: count('How many sign-ins ended') }),
    },
    'member.uninvited': {
      meaning: 'An invitation was revoked',
      data: () => z.object({ invitation }),
    },
    'member.link_created': {
      meaning: 'A one-time sign-in link was created for a member; never the link',
      data: () => z.object({ member: id, link: text('The id of the link') }),
    },
  },
)
