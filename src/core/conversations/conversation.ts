import type { CallError, Caller, Principal } from '../kernel/call.ts'
import type { JsonValue } from '../kernel/json.ts'

/** Why a conversation was begun: by a person, as a run, by `agents.spawn`, or through an `agent:` tool. */
export type ConversationKind = 'chat' | 'task' | 'subagent' | 'agent'

/** One thread of talk with one agent. Its id is the session that calls and events hang on. */
export interface Conversation {
  id: string
  tenant: string
  agent: string
  /** Whose it is: nobody else finds it, except those who read the audit log. */
  principal: Principal
  kind: ConversationKind
  /** What the client calls it, unique for its owner and agent. */
  clientId?: string
  title?: string
  /** The turn under way, if one is. */
  turnId?: string
  /** Wire name → tool, for every tool that was used in it. */
  wireNames: Readonly<Record<string, string>>
  messages: number
  createdAt: string
  updatedAt: string
}

/** One message as the AI SDK's user interfaces hold it; `parts` are theirs. */
export interface ConversationMessage {
  id: string
  role: 'user' | 'assistant' | 'system'
  parts: readonly JsonValue[]
  metadata?: JsonValue
}

/** A message with its place. */
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

/** `waiting`: for calls of its last pass that wait for people, the outside or the queue. */
export type TurnStatus = (typeof turnStatuses)[number]

export type SettledTurnStatus = 'completed' | 'failed' | 'cancelled'

/** What models used, added up. */
export interface TurnUsage {
  modelCalls: number
  /**
   * Of these, those that were cut off before their provider said what they took: counted as far as it
   * is known, or about. Left out where there is none.
   */
  cutOffCalls?: number
  inputTokens: number
  outputTokens: number
  cachedTokens: number
  /** Units, by the price table; 0 where the price of the model is not known. */
  cost: number
  /** How much of the cost events have told already; left out where that is nothing. */
  toldCost?: number
  /** What the agents used that it sent out: beside its own, and each of them tells its cost itself. */
  sentOut?: Omit<TurnUsage, 'sentOut' | 'toldCost'>
}

export const noUsage: TurnUsage = Object.freeze({
  modelCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  cost: 0,
})

/** A call that the model asked for in one pass, and what became of it so far. */
export interface PassCall {
  toolCallId: string
  callId?: string
}

/** A pass under way: what its group continues with. */
export interface WaitingPass {
  groupId: string
  /** All its calls were made; otherwise they are made again, by the keys they were made with. */
  isMade: boolean
  calls: readonly PassCall[]
  /** Inputs with secret fields, by tool call, until the calls are made: the message has only marks. */
  sealedInput?: string
}

/** Limits of one turn beside the agent's own. */
export interface TurnBounds {
  maxSteps: number
  /** Tokens that its model calls may use in all. */
  maxTokens?: number
  /** When it is given up, wherever it stands. */
  deadlineAt?: number
  /** Of a call's agents: how many it sends out, this one among them. */
  siblings?: number
}

/** One answer of an agent: from a message to its end, over as many steps as it takes. */
export interface Turn {
  id: string
  tenant: string
  conversationId: string
  agent: string
  status: TurnStatus
  /** Who it runs for, as its calls are made. */
  caller: Caller
  bounds: TurnBounds
  /** Model calls whose outcome is stored. */
  step: number
  /** Counts up whenever somebody begins to work on it: fences whoever was thought dead. */
  attempt: number
  /** The id of the message that it writes. */
  messageId: string
  waiting?: WaitingPass
  usage: TurnUsage
  model?: string
  error?: CallError
  /** The call that started it: of `agents.spawn` or an `agent:` tool. */
  parentCallId?: string
  /** The how-manieth of that call. */
  position: number
  cancelRequested: boolean
  createdAt: string
  settledAt?: string
}

/** A turn with the title of its conversation, as lists have it. */
export type ListedTurn = Turn & Pick<Conversation, 'title'>
