import { createLibrary } from '../../core/library/create-library.ts'
import type { LibrarySource } from '../../core/library/library-api.ts'
import type { CribApi } from '../../features/crib-api.ts'
import { withinAgents } from '../api/agent-bounds.ts'
import { createAuthentication } from '../api/authentication.ts'
import { createHealth } from '../api/health.ts'
import { createOfferAccess } from '../api/offer-access.ts'
import type { FollowedLoader } from '../loader/follow-tool-files.ts'
import type { McpServers } from '../mcp-servers/open-mcp-servers.ts'
import { createTokenAccess } from '../oauth/create-token-access.ts'
import type { OpenFeatures, OperationBook } from './open-features.ts'
import type { Parts } from '../parts.ts'

interface ApiParts extends Parts {
  loader: FollowedLoader
  library: readonly LibrarySource[]
  features: Pick<OpenFeatures, 'doors'>
  servers: McpServers
  operations: OperationBook
}

/** The whole library API of a crib. */
export function createApi(parts: ApiParts): CribApi {
  const { calls, store, library, features, servers, operations } = parts
  const tokens = createTokenAccess(parts)
  const byHand = withinAgents({
    call: calls.call,
    ask: calls.ask,
    ...(store.bus !== undefined && { bus: store.bus }),
    runOperation: operations.run,
    ...createAuthentication({ ...parts, tokens }),
    ...createHealth({ ...parts, gateway: servers.gateway, isDraining: calls.isRefusing }),
    ...createOfferAccess(parts),
    ...createLibrary(library),
    ...features.doors,
    ...servers.api,
  })
  return { ...byHand, ...operations.api }
}
