import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { forgetGone } from './catalogue/catalogue-sync.ts'
import { policyOperations } from './operations.ts'

/** A tenant's rules for all its agents, and the effect of changing them. */
export const policiesFeature: Feature = {
  name: 'policies',
  open({ store, ports: { registry }, rules, config }) {
    const keepMs = config.catalogue.keepDays * 86_400_000
    const run = () => forgetGone({ store, registry, keepMs, now: store.now })
    return {
      operations: openOperations(policyOperations, { store, registry, rules, config }),
      sweeps: [{ name: 'removed tools', everyMs: 600_000, isWoken: false, run }],
    }
  },
}
