import type { CallError, Caller, CallStatus, Decision, Principal } from '../kernel/call.ts'
import type { SessionFlag } from '../flow/session-flags.ts'
import type { Explanation } from '../policy/scope.ts'
import type { Runtime } from '../kernel/runtime.ts'

/** For whom to explain; without a word for the caller itself. */
export interface ExplainQuery {
  agent?: string
  runtime?: Runtime
  /** With this skill of the agent in force. */
  skill?: string
  tool?: string
  /** As somebody else: `member:<id>`, `key:<id>` or `role:<name>`. */
  as?: string
  /** With what this session has seen. */
  sessionId?: string
}

/** What was decided about one request, and what would be decided now. */
export interface PastDecision {
  id: string
  kind: 'refusal' | 'call'
  at: string
  tool: string
  principal: Principal
  agent?: string
  parents?: readonly string[]
  runtime: Runtime
  sessionId?: string
  /** What was decided then. */
  decided: Omit<Decision, 'logged'>
  /** Of a call: how it stands. */
  outcome?: { status: CallStatus; error?: CallError }
  /** What would be decided now; absent when there is no such tool, or no such agent, any more. */
  now?: Explanation
  /** What is different, in words. */
  difference: string
}

/** Every tool with every layer's verdict. */
export interface ExplainAnswer {
  items: Explanation[]
  /** What the session has read, if the query named one. */
  flags?: readonly SessionFlag[]
}

/** Why something was decided as it was. */
export interface ExplainApi {
  explain(caller: Caller, query: ExplainQuery): Promise<ExplainAnswer>
  /** Of a refusal (`ref_…`) or a call (`call_…`) of the caller's tenant. */
  explainDecision(caller: Caller, id: string): Promise<PastDecision>
}
