import { isToolError } from '../kernel/errors.ts'
import type { ToolGroups } from '../patterns/groups.ts'
import { compilePattern, type NamedTool } from '../patterns/patterns.ts'
import { maxFindings } from '../schema/findings.ts'

/** Patterns with the name of their place: `hooks.confirm`. */
export interface WrittenPatterns {
  where: string
  patterns: readonly string[]
}

interface Known {
  groups: ToolGroups
  tools: readonly NamedTool[]
}

/** Warns of patterns that currently match no tool: a typo, or a removed tool. */
export function findIdlePatterns(
  lists: readonly WrittenPatterns[],
  { groups, tools }: Known,
): string[] {
  const names = new Set(tools.flatMap(({ name, aliases = [] }) => [name, ...aliases]))
  const idle: string[] = []
  for (const { where, patterns } of lists) {
    for (const pattern of patterns) {
      const reason = names.has(pattern) ? undefined : whyIdle(pattern, { groups, tools })
      if (reason === undefined) continue
      // Each of them was compared with every tool.
      if (idle.length === maxFindings) return [...idle, 'There are more patterns like these']
      idle.push(`${where} ${pattern}${reason}`)
    }
  }
  return idle
}

function whyIdle(pattern: string, { groups, tools }: Known): string | undefined {
  try {
    return tools.some(compilePattern(pattern, groups))
      ? undefined
      : ' matches no tool at the moment'
  } catch (error) {
    if (!isToolError(error)) throw error
    return `: ${error.message}`
  }
}
