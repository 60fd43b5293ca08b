import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { keyringOperations } from './keyring-operations.ts'
import { secretOperations } from './operations.ts'

/** Secrets, and the master keys that seal them. The vault is the store's: the pipeline reads it too. */
export const secretsFeature: Feature = {
  name: 'secrets',
  open({ store, ports, rules }) {
    const { secrets, keyring } = store
    const parts = { secrets, keyring, pipeline: ports, rules }
    return { operations: openOperations({ ...secretOperations, ...keyringOperations }, parts) }
  },
}
