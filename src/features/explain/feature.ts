import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { explainOperations } from './operations.ts'

/** Why a caller sees a tool or does not, and what is decided, in lists that people choose from. */
export const explainFeature: Feature = {
  name: 'explain',
  open: ({
    ports: { registry, workspaceAccess },
    scopeFor,
    store,
    rules,
    findPrincipal,
    config,
  }) => ({
    operations: openOperations(explainOperations, {
      registry,
      workspaceAccess,
      scopeFor,
      store,
      rules,
      findPrincipal,
      config,
    }),
  }),
}
