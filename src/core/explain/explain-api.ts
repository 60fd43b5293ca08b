import type { CallError, Caller, CallStatus, Decision, Principal } from '../call.ts'
import type { SessionFlag } from '../flow/session-flags.ts'
import type { ToolLabels } from '../flow/tool-labels.ts'
import type { Explanation } from '../policy/scope.ts'
import type { Runtime } from '../runtime.ts'

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

/** A label as it is set, and by whom. */
export interface LabelSetting extends ToolLabels {
  pattern: string
  /** Configuration says so for every tenant. */
  isDeclared: boolean
  setBy: string
}

/** Why something was decided as it was, and what sessions have seen. */
export interface ExplainApi {
  /** Every tool with every layer's verdict. */
  explain(caller: Caller, query: ExplainQuery): Promise<Explanation[]>
  /** Of a refusal (`ref_…`) or a call (`call_…`) of the caller's tenant. */
  explainDecision(caller: Caller, id: string): Promise<PastDecision>
  listSessionFlags(caller: Caller, sessionId: string): Promise<readonly SessionFlag[]>
  /** Takes the flags off a session: somebody has looked, and answers for it. */
  clearSessionFlags(caller: Caller, sessionId: string): Promise<readonly SessionFlag[]>
  /** Those of configuration first, each by pattern. */
  listLabels(caller: Caller): Promise<LabelSetting[]>
  writeLabel(caller: Caller, pattern: string, labels: ToolLabels): Promise<LabelSetting>
  deleteLabel(caller: Caller, pattern: string): Promise<void>
}
