import type { TurnUsage } from '../../conversations/conversation.ts'
import type { Caller, CallError } from '../../kernel/call.ts'
import type { JsonValue } from '../../kernel/json.ts'
import type { ToolEval } from '../../kernel/trial/tool-eval.ts'

/** A call that a model asked for. */
export interface EvaluatedCall {
  /** Canonical name, behind `tools.call` as well. */
  tool: string
  input: JsonValue
  status: 'completed' | 'failed' | 'denied' | 'cancelled'
  error?: CallError
}

/** The calls and the answer of a model to one request. */
export interface EvalOutcome {
  calls: readonly EvaluatedCall[]
  answer: string
  usage: TurnUsage
  /** Why there is no answer: the model failed, took too long, or did not come to an end. */
  stopped?: string
}

/** An agent, or a caller without one, with the model that gets the requests. */
export interface EvalSeat {
  agent?: string
  /** The name of the model. */
  model: string
  /** Rejects only when the signal aborts, or a budget refuses the model. */
  run(request: Pick<ToolEval, 'say' | 'given'>, signal: AbortSignal): Promise<EvalOutcome>
}

/** Gives requests to models, without effects. */
export interface EvalPort {
  /** Throws for an agent that does not exist, and a model that can't be opened. */
  seat(caller: Caller, model: string | undefined): Promise<EvalSeat>
}
