import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { layerTitle } from '../../ui/decision/layer-names.ts'
import { DecisionTag } from '../../ui/status-tags.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { toSafeText } from '../values/safe-text.ts'
import styles from './call-result.module.css'

/** Why something was refused then, and what would be decided now. */
export function Explained({ id }: { id: string }) {
  const query = useQuery({
    queryKey: ['explain', 'past', id],
    queryFn: () => read(api.GET('/api/v1/explain/{id}', { params: { path: { id } } })),
  })
  return <QueryView query={query}>{(past) => <Past past={past} />}</QueryView>
}

function Past({ past: { decided, now, difference } }: { past: Api<'PastDecision'> }) {
  const stops = (now?.layers ?? []).filter(({ passes }) => !passes)
  return (
    <ul className={styles.layers} aria-label="Why">
      <li>
        <DecisionTag decision={decided.verdict} />
        <span>{toSafeText(decided.reasons.join('; ') || decided.rule)}</span>
        <small>{`Then: ${layerTitle(decided.layer)}`}</small>
      </li>
      {stops.map(({ layer, reason, fix }) => (
        <li key={layer}>
          <DecisionTag decision="deny" />
          <span>{toSafeText(reason)}</span>
          <small>{`Now: ${layerTitle(layer)}${fix === undefined ? '' : `. ${toSafeText(fix)}`}`}</small>
        </li>
      ))}
      {difference !== '' && (
        <li>
          <span />
          <span>{toSafeText(difference)}</span>
        </li>
      )}
    </ul>
  )
}
