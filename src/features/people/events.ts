import { defineEvents } from '../../core/events/define-events.ts'

export const memberEvents = defineEvents(
  { noun: 'Member', group: 'people', stale: ['members', 'invitations', 'sign-ins'] },
  {
    'member.invited': { meaning: 'Somebody was invited; never the link' },
    'member.added': { meaning: 'Somebody was made a member without an invitation' },
    'member.joined': { meaning: 'Somebody accepted an invitation or signed in for the first time' },
    'member.changed': { meaning: 'Role, permissions, name or state of a member were changed' },
    'member.removed': { meaning: 'A member was removed' },
    'member.signed_in': { meaning: 'A member signed in, and how' },
    'member.sign_in_failed': { meaning: 'Somebody tried to sign in as a member and could not' },
    'member.signed_out': { meaning: 'A member signed out, here or everywhere' },
    'member.uninvited': { meaning: 'An invitation was withdrawn' },
    'member.link_created': {
      meaning: 'A one-time sign-in link was made for a member; never the link',
    },
  },
)
