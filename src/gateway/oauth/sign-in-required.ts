import { ToolError } from '../../core/kernel/errors.ts'

/** Nobody has signed in, or no longer: the words hold the way to it. */
export function signInRequired(server: string, scope?: string): ToolError {
  const message =
    scope === undefined
      ? `The MCP server ${server} wants you to sign in there first`
      : `The MCP server ${server} wants you to allow more: ${scope.slice(0, 200)}`
  return new ToolError('sign_in_required', message, {
    fix: `Sign in with: toolcrib mcp login ${server} (or POST /api/v1/mcp-servers/${server}/authorize and open the url).`,
    details: { needsSignIn: true, server },
  })
}

/** The authorization server is unreachable or refuses; stored tokens stay. */
export function signInFailed(server: string, why: string, cause?: unknown): ToolError {
  return new ToolError('sign_in_failed', `Signing in to ${server} failed: ${why}`, {
    fix: `Begin again where you did, or with: toolcrib mcp login ${server}`,
    cause,
  })
}
