import type { CallError, Caller, Principal } from '../kernel/call.ts'
import type { JsonValue } from '../kernel/json.ts'

/**
 * How a conversation was started: by a person, as a run, by `agents.spawn`, or through an `agent:`
 * tool.
 */
export type ConversationKind = 'chat' | 'task' | 'subagent' | 'agent'

/** A thread with one agent. Its id is the session of its calls and events. */
export interface Conversation {
  id: string
  tenant: string
  agent: string
  /** The owner: nobody else finds it, except readers of the audit log. */
  principal: Principal
  kind: ConversationKind
  /** The client's name for it, unique for its owner and agent. */
  clientId?: string
  title?: string
  /** The running turn, if any. */
  turnId?: string
  /** Wire name → tool, for every tool that was used in it. */
  wireNames: Readonly<Record<string, string>>
  messages: number
  createdAt: string
  updatedAt: string
}

/** A message in the format of the AI SDK's user interfaces, including `parts`. */
export interface ConversationMessage {
  id: string
  role: 'user' | 'assistant' | 'system'
  parts: readonly JsonValue[]
  metadata?: JsonValue
}

/** A message with its position. */
export interface StoredMessage extends ConversationMessage {
  /** From 1, in the order of the conversation. */
  position: number
  turnId?: string
  createdAt: string
}

export const turnStatuses = [
  'queued',
  'running',
  'waiting',
  'completed',
  'failed',
  'cancelled',
] as const

/** `waiting`: for calls of its last pass that wait for people, external workers or the queue. */
export type TurnStatus = (typeof turnStatuses)[number]

export type SettledTurnStatus = 'completed' | 'failed' | 'cancelled'

/** Total usage of models. */
export interface TurnUsage {
  modelCalls: number
  /**
   * The calls that were interrupted before the provider reported their usage: counted as known, or
   * estimated. Omitted when zero.
   */
  cutOffCalls?: number
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  /** Units, by the price table; 0 if the price of the model is not known. */
  cost: number
  /** The part of the cost already reported in events; omitted when zero. */
  toldCost?: number
  /**
   * Usage of the agents that it started: separate from its own, because each reports its own cost.
   */
  sentOut?: Omit<TurnUsage, 'sentOut' | 'toldCost'>
}

export const noUsage: TurnUsage = Object.freeze({
  modelCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  cost: 0,
})

/** A call that the model requested in one pass, and its result so far. */
export interface PassCall {
  toolCallId: string
  callId?: string
}

/** A running pass: the data its group continues with. */
export interface WaitingPass {
  groupId: string
  /** All its calls were made; otherwise they are repeated with the same keys. */
  isMade: boolean
  calls: readonly PassCall[]
  /**
   * Inputs with secret fields, by tool call, until the calls are made: the message has only
   * placeholders.
   */
  sealedInput?: string
}

/** Limits of one turn in addition to the agent's. */
export interface TurnBounds {
  maxSteps: number
  /** Tokens that its model calls may use in total. */
  maxTokens?: number
  /** The time at which it is ended in any state. */
  deadlineAt?: number
  /** For agents started by a call: how many it started in total. */
  siblings?: number
}

/** One answer of an agent: from a message to its end, over any number of steps. */
export interface Turn {
  id: string
  tenant: string
  conversationId: string
  agent: string
  status: TurnStatus
  /** The caller it runs for; its calls are made as this caller. */
  caller: Caller
  bounds: TurnBounds
  /** Model calls whose outcome is stored. */
  step: number
  /** Incremented on every claim: fences off nodes that were presumed dead. */
  attempt: number
  /** The id of the message that it writes. */
  messageId: string
  waiting?: WaitingPass
  usage: TurnUsage
  model?: string
  error?: CallError
  /** The call that started it: of `agents.spawn` or an `agent:` tool. */
  parentCallId?: string
  /** Its position among the turns of that call. */
  position: number
  cancelRequested: boolean
  createdAt: string
  settledAt?: string
}

/** A turn with the title of its conversation, as lists have it. */
export type ListedTurn = Turn & Pick<Conversation, 'title'>
