import type { Api } from '../../api/client.ts'

type Explanation = Api<'Explanation'>
type Layer = Explanation['layers'][number]
type Ask = NonNullable<Explanation['asks']>[number]

/** A rule that hides a tool or asks about it. */
export type Rule = Pick<Layer | Ask, 'layer' | 'change' | 'reason'>

/** The fix for a rule: a screen, a button, or a command to type elsewhere. */
export type Fix =
  | { kind: 'secret'; name: string }
  | { kind: 'grant'; agent: string }
  | { kind: 'agent'; agent: string; tab: 'policy' | 'skills' | 'settings' }
  | { kind: 'policy'; of: string; name: string }
  | { kind: 'skill'; name: string }
  | { kind: 'members' }
  | { kind: 'mcp-server'; server: string }
  | { kind: 'api'; api: string }
  | { kind: 'configuration'; key: string }
  | { kind: 'command'; command: string }

/** Reads the fix for a rule from the result of explain. */
export function fixOf(rule: Rule, tool: string): Fix | undefined {
  const { api = '', command = '', configuration } = rule.change ?? {}
  return (
    fromRequest(api, rule.layer) ??
    (configuration === undefined ? undefined : { kind: 'configuration', key: configuration }) ??
    fromCommand(command) ??
    fromHealth(rule, tool)
  )
}

function fromRequest(api: string, layer: Rule['layer']): Fix | undefined {
  const [method = '', path = ''] = api.split(' ')
  const [noun, one = '', two = ''] = path.replace('/api/v1/', '').split('/').map(decodeURIComponent)
  if (noun === 'secrets') return { kind: 'secret', name: one }
  if (noun === 'policies') return { kind: 'policy', of: one, name: two }
  if (noun !== 'agents') return undefined
  if (two === 'grants' && method === 'POST') return { kind: 'grant', agent: one }
  return { kind: 'agent', agent: one, tab: layer === 'flags' ? 'settings' : 'policy' }
}

function fromCommand(command: string): Fix | undefined {
  const [, disabled] = /^toolcrib skills disable \S+ --agent (\S+)/.exec(command) ?? []
  if (disabled !== undefined) return { kind: 'agent', agent: disabled, tab: 'skills' }
  const [, skill] = /^toolcrib skills install (\S+)/.exec(command) ?? []
  if (skill !== undefined) return { kind: 'skill', name: skill }
  if (command.startsWith('toolcrib members ')) return { kind: 'members' }
  return command === '' ? undefined : { kind: 'command', command }
}

/** A tool of an MCP server that is down or quarantined is fixed on the server's page. */
function fromHealth({ layer }: Rule, tool: string): Fix | undefined {
  const [, api] = /^api:([^:]+):/.exec(tool) ?? []
  if (layer === 'health' && api !== undefined) return { kind: 'api', api }
  const [, server] = /^mcp:([^:]+):/.exec(tool) ?? []
  return layer === 'health' && server !== undefined ? { kind: 'mcp-server', server } : undefined
}
