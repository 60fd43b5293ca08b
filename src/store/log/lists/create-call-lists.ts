import type { CallLog } from '../../../core/call-log.ts'
import type { Engine } from '../../engine/engine.ts'
import { listCalls } from './call-list.ts'
import { tallySteps } from './step-tallies.ts'

/** Reading many calls at once. */
export function createCallLists(engine: Engine): Pick<CallLog, 'list' | 'tallySteps'> {
  return {
    list: (tenant, query) => listCalls(engine, tenant, query),
    tallySteps: (tenant, callId) => tallySteps(engine, tenant, callId),
  }
}
