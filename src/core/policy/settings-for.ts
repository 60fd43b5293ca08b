import { noSettings } from './agent-rules.ts'
import { compileScope, toNamed } from './compiled-scope.ts'
import type { PolicyTool, Scope, ToolSettings } from './scope.ts'

/** The calling agent's settings for a tool, under its current or a former name. */
export function settingsFor(tool: PolicyTool, scope: Scope): ToolSettings {
  if (scope.agent === undefined) return noSettings
  return compileScope(scope).agent?.settingsOf(toNamed(tool)) ?? noSettings
}
