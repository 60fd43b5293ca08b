import type { CallConversation } from '../../kernel/context/call-conversation.ts'
import type { ConversationFor } from '../../conversations/conversation-for.ts'
import type { CapabilityCall, CapabilityMap } from './capability.ts'

type ConversationCapabilities = Pick<CapabilityMap, 'agents' | 'state' | 'attachments' | 'model'>

/**
 * The members that come from the conversation of a call. They share one conversation per call,
 * whose state is written when the call has completed. `find` returns undefined on servers without
 * agents.
 */
export function conversationCapabilities(
  find: () => ConversationFor | undefined,
): ConversationCapabilities {
  const open = (call: CapabilityCall): CallConversation | undefined =>
    (call.conversation.current ??= find()?.(call))
  return {
    agents: (call) => open(call)?.agents,
    state: (call) => open(call)?.state,
    attachments: (call) => open(call)?.attachments,
    model: (call) => open(call)?.model,
  }
}
