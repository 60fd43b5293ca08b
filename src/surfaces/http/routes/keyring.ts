import { z } from '@hono/zod-openapi'
import { json } from '../reply.ts'
import { defineRoute } from '../route.ts'
import type { Route } from '../route.ts'
import { idParam } from '../request/route-params.ts'
import { keyringStatus, rotationStep } from '../describe/secret-schemas.ts'

const findKeyring = defineRoute({
  method: 'get',
  path: '/api/v1/keyring',
  tag: 'Secrets',
  summary: 'Show the master keys and what is sealed under each',
  description: 'Ids and counts, never a key. For the owner of the installation.',
  answers: { 200: { description: 'The ring', schema: keyringStatus } },
  async handle({ door, caller }) {
    return json(200, await door.api.findKeyring(caller))
  },
})

const rotateKeyring = defineRoute({
  method: 'post',
  path: '/api/v1/keyring/rotate',
  tag: 'Secrets',
  summary: 'Move everything that is sealed to another master key',
  description: [
    'One bounded step while the server runs: repeat it with `resume` until `isDone`. It may be broken off and taken up again, on any node.',
    'Without `key`, the key that waits at the front of the ring is taken, else a fresh one is made and put into the ring’s file. With several nodes each of them has to hold the key first; the refusal names those that do not.',
  ].join('\n\n'),
  body: {
    isRequired: false,
    schema: z
      .strictObject({
        key: z
          .string()
          .max(200)
          .optional()
          .openapi({ description: '32 bytes in base64 or hex, or `id:key`', writeOnly: true }),
        resume: z
          .boolean()
          .optional()
          .openapi({ description: 'Go on with what was begun, and begin nothing' }),
      })
      .openapi('KeyringRotationRequest'),
  },
  answers: { 200: { description: 'How far it is', schema: rotationStep } },
  async handle({ door, caller, body }) {
    const request = { key: body.key, isResumed: body.resume }
    return json(200, await door.api.rotateKeyring(caller, request))
  },
})

const dropMasterKey = defineRoute({
  method: 'delete',
  path: '/api/v1/keyring/{id}',
  tag: 'Secrets',
  summary: 'Take a master key out of the ring that nothing is sealed under',
  params: { id: 'The id of the key' },
  answers: {
    200: {
      description: 'It is out of use; `isGone` says that it was removed from where it was kept',
      schema: z.object({ isGone: z.boolean() }),
    },
  },
  async handle({ door, caller, request }) {
    return json(200, await door.api.dropMasterKey(caller, idParam(request)))
  },
})

export const keyringRoutes: readonly Route[] = [findKeyring, rotateKeyring, dropMasterKey]
