import { z } from 'zod'
import type { Caller } from '../../core/kernel/call.ts'
import { operationsOf } from '../../core/operations/operation.ts'
import { requireOwner } from '../../core/operations/require-owner.ts'
import type { Keyring } from '../../core/secrets/keyring.ts'
import type { SecretParts } from './parts.ts'
import { keyringStatus, rotationRequest, rotationStep } from './schemas.ts'

const define = operationsOf<SecretParts>('Secrets')

/** There is one ring for all tenants, so only the owner of the installation may use it. */
function openRing(caller: Caller, { keyring }: SecretParts): Keyring {
  requireOwner(caller, 'Only the owner of this installation may see or rotate its master keys')
  return keyring
}

const findKeyring = define({
  http: 'GET /api/v1/keyring',
  summary: 'Show the master keys and what is sealed under each',
  description: 'Ids and counts, never a key. For the owner of the installation.',
  needs: 'secrets.write',
  agents: 'none',
  answer: { description: 'The key ring', schema: keyringStatus },
  run: async (_input, { caller, parts }) => openRing(caller, parts).status(),
})

const rotateKeyring = define({
  http: 'POST /api/v1/keyring/rotate',
  summary: 'Move everything that is sealed to another master key',
  description: [
    'One bounded step while the server runs: repeat it with `resume` until `isDone`. It may be interrupted and continued, on any node.',
    'Without `key`, the next key in the ring is used, or a new one is created and added to the file of the ring. With several nodes, each must hold the key first; the refusal names those that do not.',
  ].join('\n\n'),
  needs: 'secrets.write',
  agents: 'none',
  body: rotationRequest,
  isBodyOptional: true,
  answer: { description: 'The progress', schema: rotationStep },
  run: async ({ key, resume }, { caller, parts }) =>
    openRing(caller, parts).rotate({
      key,
      isResumed: resume,
      tenant: caller.tenant,
      by: caller.principal,
    }),
})

const dropMasterKey = define({
  http: 'DELETE /api/v1/keyring/{id}',
  summary: 'Remove a master key that nothing is sealed under',
  needs: 'secrets.write',
  agents: 'none',
  params: { id: 'The id of the key' },
  answer: {
    description: 'It is out of use; `isGone`: it was also removed from where it was kept',
    schema: z.object({ isGone: z.boolean() }),
  },
  run: async ({ id }, { caller, parts }) =>
    openRing(caller, parts).drop(id, { tenant: caller.tenant, by: caller.principal }),
})

/** Everything that can be asked about the master keys, by library method. */
export const keyringOperations = { findKeyring, rotateKeyring, dropMasterKey }
