import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { limitOperations } from './operations.ts'

/** Limits and their usage. The pipeline enforces them. */
export const limitsFeature: Feature = {
  name: 'limits',
  open({ store, rules, config }) {
    const parts = { store, rules, everywhere: config.limits.rules }
    const { forgetIdle } = store.limits
    return {
      operations: openOperations(limitOperations, parts),
      sweeps: [{ name: 'idle counts', everyMs: 600_000, isWoken: false, run: forgetIdle }],
    }
  },
}
