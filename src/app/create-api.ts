import type { Gateway } from '../core/gateway/gateway.ts'
import type { CribApi } from '../features/crib-api.ts'
import { withinAgents } from './api/agent-bounds.ts'
import { createCompletionAccess } from './api/completion-access.ts'
import { createOfferAccess } from './api/offer-access.ts'
import { createLibraryAccess } from './api/library-access.ts'
import { createStatusAccess } from './api/status-access.ts'
import { createTokenAccess } from './oauth/create-token-access.ts'
import type { createCallAccess } from './api/call-access.ts'
import { actIn } from './governance/tenant-gate.ts'
import type { FollowedLoader } from './loader/follow-tool-files.ts'
import type { McpServers } from './mcp-servers/open-mcp-servers.ts'
import type { OpenFeatures, OperationBook } from './open-features.ts'
import type { Parts } from './parts.ts'

type ApiParts = Parts & {
  gateway: Gateway
  loader: FollowedLoader
  state: { readonly isDraining: boolean }
  calls: ReturnType<typeof createCallAccess>
  features: OpenFeatures
  servers: McpServers
  book: OperationBook
}

/** Everything a crib can be asked for. */
export function createApi(options: ApiParts): CribApi {
  const { loader, state, calls, features, book, servers, ...parts } = options
  const isDraining = () => state.isDraining
  const { onWarning } = parts.ports
  const tokens = createTokenAccess({ ...parts, onWarning })
  const byHand = withinAgents({
    ...calls,
    ...(parts.store.bus !== undefined && { bus: parts.store.bus }),
    runOperation: book.run,
    ...createCompletionAccess(parts),
    actIn: (caller, tenant) => actIn(caller, tenant, parts.views),
    ...createStatusAccess({ ...parts, loader, isDraining, tokens }),
    ...features.doors,
    ...createOfferAccess(parts),
    ...createLibraryAccess(parts.library),
    ...servers.api,
  })
  return { ...byHand, ...book.api }
}
