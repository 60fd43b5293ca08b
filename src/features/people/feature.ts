import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { memberOperations } from './operations.ts'

/**
 * The people of a tenant. Their rows belong to the store, because they decide what every caller may
 * do.
 */
export const peopleFeature: Feature = {
  name: 'people',
  open: ({ store: { members, events }, roles }) => ({
    operations: openOperations(memberOperations, { members, events, roles }),
  }),
}
