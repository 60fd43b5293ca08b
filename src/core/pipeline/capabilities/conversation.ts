import type { CallConversation } from '../../kernel/context/call-conversation.ts'
import type { ConversationFor } from '../../conversations/conversation-for.ts'
import type { CapabilityCall, CapabilityMap } from './capability.ts'

type ConversationCapabilities = Pick<
  CapabilityMap,
  'agents' | 'state' | 'attachments' | 'model' | 'models'
>

/**
 * The members that come from the conversation of a call. They share one conversation per call,
 * whose state is written when the call has completed.
 */
export function conversationCapabilities(
  conversationFor: ConversationFor,
): ConversationCapabilities {
  const open = (call: CapabilityCall): CallConversation =>
    (call.conversation.current ??= conversationFor(call))
  return {
    agents: (call) => open(call).agents,
    state: (call) => open(call).state,
    attachments: (call) => open(call).attachments,
    model: (call) => open(call).model,
    models: (call) => open(call).models,
  }
}
