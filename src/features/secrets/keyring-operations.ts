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
  summary: 'Show the master keys and what each one encrypts',
  description: 'Returns ids and counts, never a key. Only for the owner of the installation.',
  needs: 'secrets.write',
  agents: 'none',
  answer: { description: 'The key ring', schema: keyringStatus },
  run: async (_input, { caller, parts }) => openRing(caller, parts).status(),
})

const rotateKeyring = define({
  http: 'POST /api/v1/keyring/rotate',
  summary: 'Re-encrypt everything with another master key',
  description: [
    'One bounded step while the server runs: repeat it with `resume` until `isDone`. It can be interrupted, and continued on any node.',
    'Without `key`, the next key in the ring is used, or a new one is created and added to the keyring file. With several nodes, each needs the key first; the error names the nodes that lack it.',
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
  summary: 'Remove a master key that is no longer used',
  needs: 'secrets.write',
  agents: 'none',
  params: { id: 'The id of the key' },
  answer: {
    description: 'The key is retired. `isGone`: its file or variable was removed as well',
    schema: z.object({ isGone: z.boolean() }),
  },
  run: async ({ id }, { caller, parts }) =>
    openRing(caller, parts).drop(id, { tenant: caller.tenant, by: caller.principal }),
})

/** Everything that can be asked about the master keys, by library method. */
export const keyringOperations = { findKeyring, rotateKeyring, dropMasterKey }
