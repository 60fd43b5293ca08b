import { registerClient, type OAuthClientProvider } from '@modelcontextprotocol/client'
import type { OAuthPass } from './oauth-client.ts'
import type { OAuthFetch } from './oauth-ports.ts'
import { ToolError } from '../../core/kernel/errors.ts'

/**
 * Registers us where we are not known and can't be known by our metadata document. Without scopes:
 * what is named at registration would be all that can ever be asked for, and a server may want more
 * later.
 */
export async function ensureClient(
  client: OAuthClientProvider,
  { discovery }: OAuthPass,
  fetchFn: OAuthFetch,
): Promise<void> {
  const { authorizationServerMetadata: metadata, authorizationServerUrl } = discovery
  const issuer = metadata?.issuer ?? authorizationServerUrl
  const isByUrl =
    client.clientMetadataUrl !== undefined &&
    metadata?.client_id_metadata_document_supported === true
  if (isByUrl || (await client.clientInformation({ issuer })) !== undefined) return
  if (metadata !== undefined && metadata.registration_endpoint === undefined)
    throw noRegistration(issuer)
  const { scope: _scope, ...clientMetadata } = client.clientMetadata
  const information = await registerClient(authorizationServerUrl, {
    metadata,
    clientMetadata,
    fetchFn,
  })
  await client.saveClientInformation?.({ ...information, issuer }, { issuer })
}

function noRegistration(issuer: string): ToolError {
  return new ToolError('sign_in_failed', `${issuer} registers no clients by itself`, {
    fix: 'Register one there by hand, and name it: toolcrib mcp edit <server> --client-id <id>, with --client-secret secret:<name> where it has one.',
  })
}
