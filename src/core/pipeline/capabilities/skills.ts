import type { Caller } from '../../kernel/call.ts'
import type { SkillReader } from '../../kernel/context/skill-reader.ts'
import type { Capability } from './capability.ts'

/** `ctx.skills`: the skills that the calling agent has enabled. */
export function skillsCapability(skillsFor: (caller: Caller) => SkillReader): Capability<'skills'> {
  return ({ caller }) => skillsFor(caller)
}
