import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { usePollMs } from '../../live/use-live.ts'
import { useMe } from '../../api/me.ts'
import { Facts } from '../../ui/facts.tsx'
import { Panel } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Tag } from '../../ui/tag.tsx'
import { useSettings } from './use-settings.ts'
import styles from './settings.module.css'

const states = {
  ok: ['allow', 'Ready'],
  failing: ['deny', 'Not ready'],
  draining: ['ask', 'Stopping'],
} as const

const stores = {
  pglite: 'Embedded, in the data folder',
  postgres: 'PostgreSQL',
}

/** Version and status of this server. */
export function AboutSection() {
  const { tenant } = useMe()
  const { data: settings } = useSettings()
  const refetchInterval = usePollMs(10_000)
  const query = useQuery({ queryKey: ['readiness'], queryFn: readReadiness, refetchInterval })
  return (
    <>
      <Panel title="Toolcrib">
        <QueryView query={query}>
          {({ status, version, checks }) => (
            <Facts>
              <dt>Version</dt>
              <dd>{version}</dd>
              <dt>State</dt>
              <dd>
                <span className={styles.tags}>
                  <Tag tone={states[status][0]}>{states[status][1]}</Tag>
                  {Object.entries(checks)
                    .filter(([, { ok }]) => !ok)
                    .map(([name]) => (
                      <Tag key={name} tone="deny">
                        {name}
                      </Tag>
                    ))}
                </span>
              </dd>
              {settings !== undefined && (
                <>
                  <dt>Store</dt>
                  <dd>{stores[settings.store]}</dd>
                </>
              )}
              <dt>Address</dt>
              <dd>{settings?.publicUrl ?? window.location.origin}</dd>
              <dt>Tenant</dt>
              <dd>{tenant}</dd>
            </Facts>
          )}
        </QueryView>
      </Panel>
      <Endpoints />
    </>
  )
}

function Endpoints() {
  return (
    <Panel title="Documentation and endpoints">
      <Facts>
        <dt>
          <a href="/docs">/docs</a>
        </dt>
        <dd>The HTTP API, with every route</dd>
        <dt>
          <a href="/openapi.json">/openapi.json</a>
        </dt>
        <dd>The same as an OpenAPI 3.1 document</dd>
        <dt>
          <a href="/metrics">/metrics</a>
        </dt>
        <dd>Prometheus metrics. Needs audit.read in the tenant default, or its own token</dd>
        <dt>
          <a href="/readyz">/readyz</a>
        </dt>
        <dd>Readiness check for load balancers</dd>
      </Facts>
    </Panel>
  )
}

/** "Not ready" is a valid answer here, not an error. */
async function readReadiness(): Promise<Api<'Readiness'>> {
  const { data, error } = await api.GET('/readyz')
  return data ?? (error as Api<'Readiness'> | undefined) ?? read(api.GET('/readyz'))
}
