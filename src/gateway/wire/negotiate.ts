import { ToolError } from '../../core/kernel/errors.ts'
import type { EraVerdict } from '../../core/gateway/gateway-store.ts'
import { isRecord } from '../../core/kernel/json/json-type.ts'
import type { RpcTransport } from './rpc-transport.ts'
import type { Peer } from './peer.ts'
import {
  clientInfo,
  legacyVersions,
  modernVersion,
  serverInfoKey,
  toCapabilities,
  toEnvelope,
} from './envelope.ts'
import { type JsonRecord, rpcCodes, rpcFaultOf } from './messages.ts'

/** How a server describes itself. */
export interface Introduction {
  verdict: EraVerdict
  capabilities: JsonRecord
  about: { name?: string; version?: string; title?: string; instructions?: string }
}

export interface Negotiation {
  peer: Peer
  transport: RpcTransport
  /** The earlier result, if it is recent enough. */
  known: EraVerdict | undefined
  timeoutMs: number
  now(): number
}

/** A server of the old kind may leave a request it does not know unanswered. */
const probeMs = 10_000

/**
 * Finds out which protocol a server speaks and introduces us. A server known to be old is not asked
 * for the new protocol: some servers exit at a request before their handshake.
 */
export async function negotiate(negotiation: Negotiation): Promise<Introduction> {
  const { known } = negotiation
  const modern = known?.era === 'legacy' ? undefined : await discover(negotiation)
  return modern ?? initialize(negotiation)
}

async function discover({
  peer,
  transport,
  timeoutMs,
  now,
}: Negotiation): Promise<Introduction | undefined> {
  const limit = Math.min(probeMs, timeoutMs)
  const params = { _meta: toEnvelope() }
  const ask = () => peer.request('server/discover', params, { timeoutMs: limit })
  const result = await ask()
    // One that refuses the version and names it among those it speaks is asked again.
    .catch((error: unknown) => (namesModern(error) ? ask() : Promise.reject(error)))
    .catch((error: unknown) => {
      if (isNoForNow(error)) throw error
      return undefined
    })
  const versions = result?.['supportedVersions']
  if (result === undefined || !Array.isArray(versions)) return undefined
  if (!versions.includes(modernVersion)) return undefined
  transport.agree(modernVersion, 'modern')
  const meta = isRecord(result['_meta']) ? result['_meta'] : {}
  return {
    verdict: { era: 'modern', version: modernVersion, checkedAt: now() },
    capabilities: recordOf(result['capabilities']),
    about: toAbout(meta[serverInfoKey] ?? result['serverInfo'], result['instructions']),
  }
}

function namesModern(error: unknown): boolean {
  const fault = rpcFaultOf(error)
  const { supported } = recordOf(fault?.data)
  const isRefusal = fault?.code === rpcCodes.unsupportedVersion
  return isRefusal && Array.isArray(supported) && supported.includes(modernVersion)
}

/** Not an answer to the question which protocol it speaks: it can't be reached, wants a sign-in, or is ill. */
function isNoForNow(error: unknown): boolean {
  if (!(error instanceof ToolError)) return true
  if (rpcFaultOf(error) !== undefined || error.code === 'timeout') return false
  const { status, needsSignIn, isLost } = error.details
  if (needsSignIn === true || isLost === true) return true
  return typeof status !== 'number' || status >= 500 || status === 403 || status === 429
}

async function initialize({ peer, transport, timeoutMs, now }: Negotiation): Promise<Introduction> {
  const [newest] = legacyVersions
  const params = { protocolVersion: newest, capabilities: toCapabilities(), clientInfo }
  const result = await peer.request('initialize', params, { timeoutMs })
  const version = result['protocolVersion']
  if (typeof version !== 'string' || !legacyVersions.some((known) => known === version)) {
    throw new ToolError(
      'upstream_failed',
      `The server speaks protocol ${JSON.stringify(version)}, which we do not`,
      { retryable: false, details: { code: rpcCodes.unsupportedVersion } },
    )
  }
  transport.agree(version, 'legacy')
  await peer.notify('notifications/initialized', {})
  return {
    verdict: { era: 'legacy', version, checkedAt: now() },
    capabilities: recordOf(result['capabilities']),
    about: toAbout(result['serverInfo'], result['instructions']),
  }
}

function recordOf(value: unknown): JsonRecord {
  return isRecord(value) ? (value as JsonRecord) : {}
}

function toAbout(given: unknown, instructions: unknown): Introduction['about'] {
  const { name, version, title } = recordOf(given)
  return {
    ...(typeof name === 'string' && { name: name.slice(0, 200) }),
    ...(typeof version === 'string' && { version: version.slice(0, 100) }),
    ...(typeof title === 'string' && { title: title.slice(0, 200) }),
    ...(typeof instructions === 'string' && { instructions: instructions.slice(0, 8192) }),
  }
}
