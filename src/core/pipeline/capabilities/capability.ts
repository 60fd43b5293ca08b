import type { Caller, CallCapabilities, Completion } from '../../kernel/call.ts'
import type { CallConversation } from '../../kernel/context/call-conversation.ts'
import type { TurnUsage } from '../../conversations/conversation.ts'
import type { ToolContract } from '../../kernel/tool.ts'
import type { Upload } from '../../uploads/upload.ts'

/** The part of a call that capabilities can access. */
export interface CapabilityCall {
  readonly caller: Caller
  readonly callId: string
  /** The tool that is called. */
  readonly contract: ToolContract
  /** The uploads that the input names. */
  readonly uploads: readonly Upload[]
  readonly completion: Completion | undefined
  /** It may have no effects: see `shielded`. */
  readonly isShielded: boolean
  /** The conversation of the call, once a capability has opened it. */
  readonly conversation: { current: CallConversation | undefined }
  signal(): AbortSignal
  /** `isCounted`: already counted by the budgets. */
  cost(units: number, isCounted: boolean): void
  /** Reports model usage for this call. */
  used(usage: TurnUsage): void
}

/** Creates one member of a tool's context when a tool first reads it. */
export type Capability<Name extends keyof CallCapabilities> = (
  call: CapabilityCall,
) => CallCapabilities[Name]

/** One capability for each lazy member of the context. Created once by `app`. */
export type CapabilityMap = {
  readonly [Name in keyof Required<CallCapabilities>]: Capability<Name>
}

/** The capabilities of all features: each adds its own when it opens. */
export interface CapabilityBook {
  readonly capabilities: CapabilityMap
  add(more: Partial<CapabilityMap>): void
}

/** Tools are called once all features have opened, so a call always finds every capability. */
export function createCapabilityBook(): CapabilityBook {
  const capabilities: Partial<CapabilityMap> = {}
  return {
    capabilities: capabilities as CapabilityMap,
    add: (more) => void Object.assign(capabilities, more),
  }
}
