import { ToolError } from '../../core/kernel/errors.ts'
import type { ToolGroups } from '../../core/patterns/groups.ts'
import { compilePatterns } from '../../core/patterns/patterns.ts'
import type { NamedLimit } from '../../features/limits/schemas.ts'

/** Limits of one tenant, those for everybody among them: each has its name, and patterns that can be read. */
export function checkDeclaredLimits(limits: readonly NamedLimit[], groups: ToolGroups): void {
  const names = limits.map(({ name }) => name)
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined) {
    throw new ToolError('invalid_config', `Two limits are called ${repeated}`, {
      fix: 'A limit of a tenant needs another name than those for every tenant, too.',
    })
  }
  for (const { of: kind, match, tools = [] } of limits) {
    compilePatterns(tools, groups)
    if (kind === 'tool' && match !== undefined) compilePatterns([match], groups)
  }
}
