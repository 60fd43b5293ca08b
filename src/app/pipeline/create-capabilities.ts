import type { Caller } from '../../core/kernel/call.ts'
import type { CapabilityMap } from '../../core/pipeline/capabilities/capability.ts'
import { conversationCapabilities } from '../../core/pipeline/capabilities/conversation.ts'
import { filesCapability } from '../../core/pipeline/capabilities/files.ts'
import { skillsCapability } from '../../core/pipeline/capabilities/skills.ts'
import { toolsCapability } from '../../core/pipeline/capabilities/tools.ts'
import type { ConversationFor } from '../../core/conversations/conversation-for.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import type { ToolFinder } from '../../core/kernel/context/tool-finder.ts'

interface CapabilityParts extends Pick<PipelinePorts, 'uploads' | 'skillsFor'> {
  finderFor(caller: Caller): ToolFinder
  /** Agents open after the pipeline. */
  conversationFor(): ConversationFor | undefined
}

/** The one list of capabilities: each makes a lazy member of a tool's context. */
export function createCapabilities(parts: CapabilityParts): CapabilityMap {
  return {
    files: filesCapability(parts.uploads),
    tools: toolsCapability(parts.finderFor),
    skills: skillsCapability(parts.skillsFor),
    ...conversationCapabilities(parts.conversationFor),
  }
}
