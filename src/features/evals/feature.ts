import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { createSlots } from './create-slots.ts'
import { evalOperations } from './operations.ts'

/** Of one tenant on this node: models are slow, and a provider's own limits are near. */
const conversationsAtOnce = 8

/** Requests to models, compared with the calls that they make. */
export const evalsFeature: Feature = {
  name: 'evals',
  open: ({ store, ports: { registry, refusals }, scopeFor, offers, agents }) => ({
    operations: openOperations(evalOperations, {
      store,
      registry,
      refusals,
      scopeFor,
      offers,
      evals: agents.evals,
      slots: createSlots(conversationsAtOnce),
    }),
  }),
}
