import type { EvalCallAnswer, EvalCallRequest } from '../../core/pipeline/shielded/call-for-eval.ts'
import type { TurnPorts } from '../turn/turn-ports.ts'

/** Dependencies of evals. */
export interface EvalPorts extends Pick<TurnPorts, 'models' | 'offer' | 'enterModel' | 'limits'> {
  /** Makes a call without effects. Never rejects. */
  callForEval(request: EvalCallRequest): Promise<EvalCallAnswer>
}
