import { openOperations } from '../../core/operations/run-operation.ts'
import type { Sweep } from '../../core/work-ports.ts'
import type { Feature } from '../feature.ts'
import { createDeclaredApis } from './declared-apis.ts'
import type { DefinitionStore } from './definition-store.ts'
import { apiOperations } from './operations.ts'
import type { ApiParts } from './parts.ts'
import { createDefinitionStore } from './store/definition-store.ts'
import { apiToolOperations } from './tool-operations.ts'
import { createApiTools } from './tools/create-api-tools.ts'

/** APIs imported from OpenAPI and Swagger documents; their operations are tools. */
export const apisFeature: Feature = {
  name: 'apis',
  open({ store, engine, rules, network, apiReader, mcp, config, now, onWarning }) {
    const definitions = createDefinitionStore(engine)
    const tools = createApiTools({ rules: store.rules, definitions, trusted: network.trusted })
    const parts: ApiParts = {
      rules: store.rules,
      views: rules,
      definitions,
      reader: apiReader,
      network,
      uploads: store.uploads,
      tools,
      terms: mcp.terms,
      now: store.now,
    }
    const declared = createDeclaredApis(parts, onWarning)
    const readDeclared = () => declared.readAll(config.apiTenants)
    const operations = { ...apiOperations, ...apiToolOperations }
    return {
      operations: openOperations(operations, parts),
      sources: [tools.source],
      sweeps: [lostDefinitions(definitions, now), unreadApis(readDeclared)],
      start: () => void readDeclared(),
    }
  },
}

const keptForMs = 3_600_000

/** Definitions of APIs that were removed. */
function lostDefinitions(definitions: DefinitionStore, now: () => number): Sweep {
  const run = () => definitions.sweep(now() - keptForMs)
  return { name: 'operations of removed APIs', everyMs: 3_600_000, isWoken: false, run }
}

/** Documents of the configuration that could not be read. */
function unreadApis(readDeclared: () => Promise<void>): Sweep {
  const run = async () => {
    await readDeclared()
    return 0
  }
  return { name: 'declared APIs', everyMs: 60_000, isWoken: false, run }
}
