import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, read } from '../../../api/client.ts'
import { useCan } from '../../../api/me.ts'
import { toSafeLine } from '../../../output/values/safe-text.ts'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import styles from './network.module.css'
import { describeDenial } from './rule-words.ts'

const shown = 20

interface Denied {
  id: string
  at: string
  data: {
    host?: string
    port?: number
    rule?: string
    level?: string
    tool?: string
    agent?: string
    callId?: string
    count?: number
  }
}

/** The last hosts that somebody wanted to reach and could not. */
export function DeniedDials() {
  const mayRead = useCan('audit.read')
  const query = useQuery({
    queryKey: ['network', 'denied'],
    queryFn: async () => {
      const page = await read(
        api.GET('/api/v1/events', { params: { query: { types: 'network.denied', last: shown } } }),
      )
      return typeof page === 'string' ? [] : (page.items as unknown as Denied[]).toReversed()
    },
    enabled: mayRead,
  })
  if (!mayRead) return null
  return (
    <Panel title="Recently denied">
      <QueryView query={query}>
        {(items) =>
          items.length === 0 ? (
            <p className={styles.dim}>Nothing was denied lately.</p>
          ) : (
            <ul className={styles.denied}>
              {items.map((item) => (
                <Row key={item.id} item={item} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </Panel>
  )
}

function Row({ item: { at, data } }: { item: Denied }) {
  const { host = '', port, tool, agent, callId, count = 1 } = data
  return (
    <li>
      <code dir="auto">{`${toSafeLine(host)}${port === undefined ? '' : `:${port}`}`}</code>
      <span>
        {describeDenial(data)}
        {' · '}
        {tool !== undefined && `${tool} · `}
        {agent !== undefined && `agent ${agent} · `}
        {count > 1 && `${count} times · `}
        <TimeAgo at={at} />
      </span>
      {callId !== undefined && (
        <Link to="/calls/$id" params={{ id: callId }}>
          Open call
        </Link>
      )}
    </li>
  )
}
