import type { Api } from '../../api/client.ts'

type Standing = Pick<Api<'Tool'>, 'state' | 'reason' | 'name'>

/** The first missing secret of a tool, read from the server's reason. */
export function findMissingSecret({ state, reason = '' }: Standing): string | undefined {
  if (state !== 'misconfigured') return undefined
  return /\bsecrets? ([A-Za-z_][\w.-]*)/.exec(reason)?.[1]
}

/** The API of a quarantined operation. */
export function findApi({ state, name }: Standing): string | undefined {
  if (state !== 'quarantined') return undefined
  return /^api:([^:]+):/.exec(name)?.[1]
}

/** The MCP server of a quarantined tool. */
export function findServer({ state, name }: Standing): string | undefined {
  if (state !== 'quarantined') return undefined
  return /^mcp:([^:]+):/.exec(name)?.[1]
}
