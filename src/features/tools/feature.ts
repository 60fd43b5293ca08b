import { toolsCapability } from '../../core/pipeline/capabilities/tools.ts'
import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { createFinders } from './create-finder.ts'
import { toolOperations } from './operations.ts'

/** Tools as callers see and find them. Sources bring them; the pipeline calls them. */
export const toolsFeature: Feature = {
  name: 'tools',
  open: ({ ports, store, scopeFor, offers, fileProblems }) => ({
    operations: openOperations(toolOperations, {
      registry: ports.registry,
      refusals: ports.refusals,
      ports,
      scopeFor,
      offers,
      fileProblems,
    }),
    capabilities: { tools: toolsCapability(createFinders(offers, store.foundTools)) },
  }),
}
