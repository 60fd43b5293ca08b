import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { callOperations } from './operations.ts'

/** The record of calls. The pipeline makes them. */
export const callsFeature: Feature = {
  name: 'calls',
  open({ store: { calls, artifacts, now }, ports, waitForCall, call }) {
    const { recorder, registry, running, work } = ports
    const parts = { calls, artifacts, now, recorder, registry, running, work, waitForCall, call }
    return { operations: openOperations(callOperations, parts) }
  },
}
