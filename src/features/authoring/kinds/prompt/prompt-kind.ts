import type { ForeignBehaviour } from '../../../../core/define-tool.ts'
import type { CallContext } from '../../../../core/kernel/call.ts'
import type { Finding } from '../../../../core/kernel/finding.ts'
import type { JsonSchema } from '../../../../core/kernel/json.ts'
import { resolveReferences } from '../../../../core/shapes/resolve-references.ts'
import type { ToolDocument } from '../../model/tool-document.ts'
import { checkReferences } from '../check-references.ts'
import type { DerivedFacts, SpecKind } from '../spec-kind.ts'
import { askForObject } from './ask-for-object.ts'
import { type PromptSpec, promptSpec } from './prompt-spec.ts'

/** A tool that asks a model. With an output schema the answer is an object of it, otherwise text. */
export const promptKind: SpecKind<PromptSpec> = {
  kind: 'prompt',
  schema: promptSpec,
  check: checkPrompt,
  derive: derivePrompt,
  toBehaviour,
}

function checkPrompt({ spec, inputSchema }: ToolDocument<PromptSpec>): Finding[] {
  const { mode, agent, skill, system = '', template } = spec
  return [
    ...checkReferences(template, '/spec/template', { input: inputSchema }),
    ...(system.includes('{{')
      ? [
          {
            path: '/spec/system',
            message: 'must not hold references: what a caller sends would become an instruction',
            fix: 'Put them into the template.',
            severity: 'error' as const,
          },
        ]
      : []),
    ...checkNamed(mode, { agent, skill }),
  ]
}

function checkNamed(
  mode: PromptSpec['mode'],
  named: Pick<PromptSpec, 'agent' | 'skill'>,
): Finding[] {
  return (['agent', 'skill'] as const).flatMap((field): Finding[] => {
    const path = `/spec/${field}`
    const isNeeded = field === mode
    const isGiven = named[field] !== undefined
    if (isNeeded === isGiven) return []
    const message = isNeeded ? `is missing: mode ${mode} needs it` : `has no effect in mode ${mode}`
    return [{ path, message, severity: isNeeded ? 'error' : 'warning' }]
  })
}

const textSchema: JsonSchema = { type: 'string' }

function derivePrompt({ outputSchema }: ToolDocument<PromptSpec>): DerivedFacts {
  return { effect: 'read', ...(outputSchema === undefined && { outputSchema: textSchema }) }
}

function toBehaviour({ spec, outputSchema }: ToolDocument<PromptSpec>): ForeignBehaviour {
  return {
    async execute(input, ctx) {
      const question = {
        prompt: toPrompt(spec, input),
        instructions: await readInstructions(spec, ctx),
        model: spec.model,
        agent: spec.mode === 'agent' ? spec.agent : undefined,
        maxOutputTokens: spec.maxOutputTokens,
      }
      const onText = (text: string) => ctx.progress({ text })
      if (outputSchema !== undefined) return askForObject(question, outputSchema, ctx)
      return (await ctx.models.ask({ ...question, onText })).text
    },
  }
}

/** A template that is one reference may name any value. */
function toPrompt({ template }: PromptSpec, input: unknown): string {
  const value = resolveReferences(template, { input }) ?? ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** More of a skill than any model follows. */
const maxSkillBytes = 200_000

/** All of it comes from the author: nothing is filled in. */
async function readInstructions(
  { mode, skill, system }: PromptSpec,
  { skills }: CallContext,
): Promise<string> {
  const texts = system === undefined ? [] : [system]
  if (mode !== 'skill' || skill === undefined) return texts.join('\n\n')
  const { text = '' } = await skills.read(skill, 'SKILL.md', { offset: 0, limit: maxSkillBytes })
  return [text, ...texts].join('\n\n')
}
