import { settings } from '../describe/settings-schemas.ts'
import { json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'

const readSettings = defineRoute({
  method: 'get',
  path: '/api/v1/settings',
  tag: 'Server',
  summary: 'Read how this crib is set up',
  description:
    'What the configuration says: how long things are kept, how people sign in, which roles there are. No secrets. Needs `members.manage`, `keys.manage` or `audit.read`.',
  answers: { 200: { description: 'What is configured', schema: settings } },
  async handle({ door, caller }) {
    return json(200, await door.api.readSettings(caller))
  },
})

export const settingsRoutes: readonly Route[] = [readSettings]
