import { defineEvents } from '../../core/events/define-events.ts'

export const keyEvents = defineEvents(
  { noun: 'API key', group: 'keys', stale: ['keys'] },
  {
    'key.created': { meaning: 'An API key was made' },
    'key.revoked': { meaning: 'An API key was revoked' },
    'key.token_issued': {
      meaning: 'A short-lived token was issued for a visitor, by the key of their site',
    },
    'key.rotated': {
      meaning: 'An API key was given a new secret; the old one works no more, or until when',
    },
  },
)
