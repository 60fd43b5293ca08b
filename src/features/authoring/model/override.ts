import { z } from 'zod'
import { jsonValue } from '../../../core/operations/fields.ts'
import type { Finding } from '../../../core/kernel/finding.ts'
import { effects, type Tool } from '../../../core/kernel/tool.ts'
import { findFormIssues } from '../../../core/schema/form-issues.ts'
import { toolFacts } from '../../../core/schema/tool-definition.ts'

const { shape } = toolFacts

/** The facts of a tool of others that a tenant may change: its words, and what makes it stricter. */
export const overrideSpec = z
  .strictObject({
    title: shape.title.meta({ description: 'Its name for people' }),
    description: shape.description.optional().meta({ description: 'What models read' }),
    icon: shape.icon,
    examples: z
      .array(z.strictObject({ label: z.string().trim().min(1).max(200), input: jsonValue }))
      .max(50)
      .optional(),
    form: shape.form,
    view: shape.view,
    cost: shape.cost.unwrap().optional().meta({ description: 'Units that a call costs' }),
    labels: shape.labels.meta({ description: 'Added to those it has' }),
    approval: z.literal('always').optional().meta({ description: 'Every call needs approval' }),
    effect: shape.effect.optional().meta({ description: 'At least that of the tool' }),
    timeoutMs: shape.timeoutMs
      .unwrap()
      .optional()
      .meta({ description: 'At most that of the tool' }),
    permission: shape.permission.meta({ description: 'For tools that need none' }),
    isEnabled: z.boolean().optional().meta({ description: 'False: nobody can call it' }),
  })
  .meta({ id: 'ToolOverrideSpec' })
export type OverrideSpec = z.output<typeof overrideSpec>

/** Changes that would have no effect, because an override can't open anything. */
export function checkOverride(override: OverrideSpec, tool: Tool): Finding[] {
  const { contract } = tool
  const findings = [
    ...checkStricter(override, tool),
    ...findFormIssues(override.form, contract.inputSchema),
    ...(override.examples ?? []).flatMap(({ input }, index) => {
      const parsed = tool.parseInput(input)
      return parsed.ok
        ? []
        : parsed.issues.map((issue) => ({
            ...issue,
            path: `/examples/${index}/input${issue.path}`,
          }))
    }),
  ]
  return findings.map((finding) => ({ ...finding, severity: 'error' as const }))
}

function checkStricter({ effect, timeoutMs, permission }: OverrideSpec, { contract }: Tool) {
  const isLower = effect !== undefined && effects.indexOf(effect) < effects.indexOf(contract.effect)
  const isLonger = timeoutMs !== undefined && timeoutMs > contract.timeoutMs
  const isOther = permission !== undefined && (contract.permission ?? permission) !== permission
  return [
    ...(isLower ? [{ path: '/effect', message: `must be at least ${contract.effect}` }] : []),
    ...(isLonger ? [{ path: '/timeoutMs', message: `must be at most ${contract.timeoutMs}` }] : []),
    ...(isOther
      ? [{ path: '/permission', message: `is already ${contract.permission}, which stays` }]
      : []),
  ]
}
