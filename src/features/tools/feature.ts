import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { toolOperations } from './operations.ts'

/** Tools as callers see and find them. Sources bring them; the pipeline calls them. */
export const toolsFeature: Feature = {
  name: 'tools',
  open: ({ ports: { registry, refusals }, scopeFor, offers, fileProblems }) => ({
    operations: openOperations(toolOperations, {
      registry,
      refusals,
      scopeFor,
      offers,
      fileProblems,
    }),
  }),
}
