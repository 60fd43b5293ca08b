import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature } from '../feature.ts'
import { networkOperations } from './operations.ts'

/** The network of tools: rules about reachable hosts, `ctx.web` and `ctx.fetch`. */
export const networkFeature: Feature = {
  name: 'network',
  open({ store, rules, ports: { registry }, config, network }) {
    const parts = { store, rules, registry, settings: config.network }
    return {
      operations: openOperations(networkOperations, parts),
      capabilities: {
        web: (call) => network.webFor(call),
        fetch: (call) => network.webFor(call).fetch,
      },
    }
  },
}
