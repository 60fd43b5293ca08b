import type { Refusals } from '../../core/explain/refusals.ts'
import type { Caller } from '../../core/kernel/call.ts'
import type { Offers } from '../../core/offer/tool-offer.ts'
import type { PipelinePorts } from '../../core/pipeline/ports.ts'
import type { Scope } from '../../core/policy/scope.ts'
import type { Registry } from '../../core/registry.ts'
import type { ToolFileProblem } from '../../core/tools/tool-listing.ts'

/** The dependencies of the operations on tools. */
export interface ToolParts {
  registry: Pick<Registry, 'list' | 'find'>
  scopeFor(caller: Caller): Scope | Promise<Scope>
  refusals: Refusals
  offers: Offers
  ports: PipelinePorts
  /** Tool files that do not load now. */
  fileProblems(): readonly ToolFileProblem[]
}
