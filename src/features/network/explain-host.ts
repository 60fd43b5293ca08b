import { createNetworkPolicy } from '../../core/host/decide-host.ts'
import type { HostVerdict } from '../../core/host/network-policy.ts'
import { addressKind } from '../../core/net/address-kind.ts'
import { parseAddressList } from '../../core/net/address-list.ts'
import { plainHost } from '../../core/net/host-pattern.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { isSandboxPack } from './read-rules.ts'
import { toLevels } from './levels.ts'
import type { NetworkParts } from './parts.ts'
import type { ExplainQuery, NetworkExplanation } from './schemas.ts'

/** The verdict about a host for a tool of the tenant, and the rules behind it. No name is looked up. */
export async function explainHost(
  tenant: string,
  query: ExplainQuery,
  { rules, registry, settings }: NetworkParts,
): Promise<NetworkExplanation> {
  const host = parseHost(query.host)
  const { port, agent, tool } = query
  const contract = tool === undefined ? undefined : registry.find(tool, tenant)?.contract
  const pack = query.pack ?? contract?.pack ?? tool?.split('.')[0] ?? ''
  const isSandbox = query.sandbox === undefined ? isSandboxPack(pack) : query.sandbox === 'true'
  const levels = toLevels({ agent, pack }, settings, await rules.list(tenant, 'network'))
  const policy = createNetworkPolicy(levels, { isSandbox })
  const ofAddress = decideAddress(host, settings.addresses)
  const verdicts = [...(ofAddress === undefined ? [] : [ofAddress]), ...policy.explain(host, port)]
  const verdict = ofAddress?.verdict === 'deny' ? ofAddress : policy.decide(host, port)
  return { ...verdict, host, port, levels: verdicts }
}

/** Rules compare names; an address is refused when it is dialled, whatever rules allow. */
function decideAddress(host: string, addresses: readonly string[]): HostVerdict | undefined {
  const kind = addressKind(host)
  if (kind === undefined || kind === 'public') return undefined
  const isAllowed = parseAddressList(addresses)?.(host, host) === true
  const facts = { level: 'address', setBy: isAllowed ? 'configuration' : 'toolcrib' }
  return isAllowed
    ? { verdict: 'allow', rule: 'network.addresses', ...facts }
    : { verdict: 'deny', rule: `${kind} addresses are not dialled`, ...facts }
}

function parseHost(text: string): string {
  const host = text.includes(':') && !text.startsWith('[') ? `[${text}]` : text
  if (!/[\s/@?#\\]/.test(text) && URL.canParse(`http://${host}/`)) {
    return plainHost(new URL(`http://${host}/`).hostname)
  }
  throw new ToolError('invalid_request', `${JSON.stringify(text.slice(0, 100))} is not a host`, {
    fix: 'Give a name or an address without https://, a path or a port.',
  })
}
