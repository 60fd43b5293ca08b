import type { McpConversation, McpShared } from './mcp-shared.ts'

/** How the server names itself. */
export function serverInfo(
  shared: Pick<McpShared, 'version'>,
  { requestContext }: McpConversation,
) {
  const { server } = requestContext.scope
  return {
    name: server === undefined ? 'toolcrib' : `toolcrib/${server}`,
    title: server === undefined ? 'Toolcrib' : `${server}, through Toolcrib`,
    version: shared.version,
  }
}
