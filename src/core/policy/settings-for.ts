import { noSettings } from './agent-rules.ts'
import { compileScope, toNamed } from './compiled-scope.ts'
import type { PolicyTool, Scope, ToolSettings } from './scope.ts'

/** What the calling agent says of one tool, under the name it has or had. */
export function settingsFor(tool: PolicyTool, scope: Scope): ToolSettings {
  if (scope.agent === undefined) return noSettings
  return compileScope(scope).agent?.settingsOf(toNamed(tool)) ?? noSettings
}
