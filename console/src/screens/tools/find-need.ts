import type { Api } from '../../api/client.ts'

type Standing = Pick<Api<'Tool'>, 'state' | 'reason' | 'name'>

/** The first secret that a tool lacks, by the reason that the server gives. */
export function findMissingSecret({ state, reason = '' }: Standing): string | undefined {
  if (state !== 'misconfigured') return undefined
  return /\bsecrets? ([A-Za-z_][\w.-]*)/.exec(reason)?.[1]
}

/** The MCP server that a tool that was set aside belongs to. */
export function findServer({ state, name }: Standing): string | undefined {
  if (state !== 'quarantined') return undefined
  return /^mcp:([^:]+):/.exec(name)?.[1]
}
