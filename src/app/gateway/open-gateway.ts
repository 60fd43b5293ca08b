import { storeTime } from '../../core/kernel/ids.ts'
import { newEvent } from '../../core/events/new-event.ts'
import type { EventLog } from '../../core/events/event-log.ts'
import { createGateway } from '../../gateway/create-gateway.ts'
import type { Gateway } from '../../core/gateway/gateway.ts'
import type { GatewayPorts } from '../../gateway/ports.ts'
import type { Parts } from '../parts.ts'
import { defaultTenant } from '../governance/scope-source.ts'
import type { ServerTerms } from '../../features/mcp-servers/server-rules.ts'
import { createPinBook } from './pin-book.ts'
import { createGatewayTools, everyone } from './gateway-tools.ts'
import { everyonesServers, serversOf } from './servers-of.ts'
import { createToolSight } from './tool-sight.ts'

export interface GatewayOptions extends Pick<GatewayPorts, 'authFor' | 'dispatcherFor' | 'signIn'> {
  terms: ServerTerms
}

/** The gateway and its lifecycle within a crib. */
export interface OpenGateway {
  gateway: Gateway
  /** Resolves when the shared tools of a tenant are up to date. */
  sync(tenant: string): Promise<void>
  close(): Promise<void>
}

const by = { kind: 'system', id: 'gateway' } as const

/**
 * Adds the tools of MCP servers: known ones are in the registry when this resolves. Nothing is
 * connected before `begin`.
 */
export async function openGateway(
  parts: Parts,
  { terms, ...rest }: GatewayOptions,
): Promise<OpenGateway> {
  const { config, store, views, sources, metrics, onWarning } = parts
  const late = (message: string) => (error: unknown) => onWarning(`${message}: ${String(error)}`)
  const gateway = createGateway({
    store: store.gateway,
    pins: createPinBook(store.rules, views),
    readSecrets: (tenant, names) => store.secrets.read({ tenant }, names),
    readEnv: parts.ports.readEnv,
    ...rest,
    seesTools: createToolSight(parts),
    tell: createTeller(store.events, late('An event of an MCP server could not be recorded')),
    onChange({ tenant }) {
      sync(tenant)
        .then(() => sources.refresh(tenant))
        .catch(late('The tools of an MCP server could not be loaded'))
    },
    onWarning,
    now: store.now,
  })
  const tools = createGatewayTools({
    gateway,
    serversOf: (view) => serversOf(view, config, { terms, onWarning }),
  })
  const { served } = tools
  const sync = async (tenant: string) => {
    if (tenant === defaultTenant) await tools.changed()
  }
  gateway.setServers(everyone, everyonesServers(config))
  await sources.attach(tools.source)
  // Tenants with running servers are updated immediately, not with their next call.
  const unsubscribe = views.subscribe((tenant) => {
    sync(tenant).catch(late('Pins could not be read'))
    if (served.has(tenant)) settle(tenant).catch(late('The servers of a tenant could not be read'))
  })
  async function settle(tenant: string): Promise<void> {
    if ((await views.find(tenant)) !== undefined) {
      await gateway.renew(tenant)
      return sources.readyFor(tenant)
    }
    gateway.setServers({ tenant, isForEveryone: false }, {})
    served.delete(tenant)
  }
  metrics.watchServers(() => gateway.counts())
  return {
    gateway,
    sync,
    async close() {
      unsubscribe()
      await gateway.close()
    },
  }
}

function createTeller(events: EventLog, onError: (error: unknown) => void): GatewayPorts['tell'] {
  return (tenant, type, data) =>
    void events
      .record([{ tenant, principal: by, events: [newEvent(type, data, storeTime())] }])
      .catch(onError)
}
