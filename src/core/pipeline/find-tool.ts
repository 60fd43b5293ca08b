import type { Decision } from '../kernel/call.ts'
import { ToolError } from '../kernel/errors.ts'
import { missingSecrets } from '../policy/layers/needs-layer.ts'
import { decide } from '../policy/decide.ts'
import type { Scope } from '../policy/scope.ts'
import type { RegisteredTool } from '../registry.ts'
import type { ChainedRequest } from './chained-request.ts'
import type { PipelinePorts } from './ports.ts'

/**
 * A registered tool, with the decision whether this caller may use it. A denied tool is invisible.
 */
export interface ResolvedTool {
  entry: RegisteredTool
  scope: Scope
  decision: Decision
}

/** Looks up a tool by canonical name, wire name or alias. Undefined when no tool has that name. */
export function findTool(
  request: Pick<ChainedRequest, 'tool' | 'depth' | 'candidate'>,
  scope: Scope,
  ports: Pick<PipelinePorts, 'registry' | 'limits'>,
): ResolvedTool | undefined {
  if ((request.depth ?? 0) > ports.limits.maxCallDepth) {
    throw new ToolError(
      'call_too_deep',
      `Calls are nested more than ${ports.limits.maxCallDepth} deep`,
      {
        fix: 'Look for tools that call each other in a circle.',
      },
    )
  }
  const entry = request.candidate ?? ports.registry.find(request.tool, scope.tenant)
  return entry && { entry, scope, decision: decide(entry, scope) }
}

/**
 * The error for a tool that this caller would see if its configuration or its server were in order.
 * Undefined for a hidden tool: unknown and invisible tools get the same answer.
 */
export function toFixable(found: ResolvedTool | undefined): ToolError | undefined {
  if (found === undefined) return undefined
  const { entry, scope, decision } = found
  // People see misconfigured tools in their lists. For an agent such a tool does not exist.
  if (decision.layer === 'needs' && scope.agent === undefined) return misconfigured(found)
  // Health is the last layer: a caller who gets this far would see the tool.
  if (decision.layer === 'health' && entry.isDown !== undefined && !entry.quarantine) {
    return down(entry)
  }
  return undefined
}

function down({ contract, isDown }: RegisteredTool): ToolError {
  return new ToolError('upstream_failed', `The server of ${contract.name} is down: ${isDown}`, {
    retryable: true,
    fix: 'The connection is retried automatically: call it later.',
  })
}

function misconfigured({ entry, scope, decision }: ResolvedTool): ToolError {
  const [secret] = missingSecrets(entry, scope)
  const { name } = entry.contract
  return new ToolError('secret_missing', `${name} is misconfigured: ${decision.rule}`, {
    fix:
      secret === undefined
        ? 'Set the environment variable where the server runs, then restart the server.'
        : `Run: toolcrib secrets set ${secret.key}`,
  })
}
