import { parsePrincipal, useNames } from '../../api/use-names.ts'
import { toSafeLine } from '../../output/values/safe-text.ts'
import { Panel } from '../../ui/page.tsx'
import { formatDuration } from '../../ui/time.tsx'
import type { CallLog } from './call-log.ts'
import { toStory } from './event-words.ts'
import type { StreamState } from './follow-call.ts'
import styles from './events-panel.module.css'

const states: Readonly<Record<StreamState, string>> = {
  connecting: 'Connecting…',
  live: 'Live',
  reconnecting: 'Reconnecting…',
  done: 'Done',
  closed: 'No access',
}

/** The timeline of a call, live while it runs. */
export function EventsPanel({ log, stream }: { log: CallLog; stream: StreamState }) {
  const describeName = useNames()
  const story = toStory(log.events, log.outputs, (by) => {
    const principal = parsePrincipal(by)
    return principal === undefined ? by : describeName(principal)
  })
  const beganAt = log.events[0]?.at
  return (
    <Panel
      title="Events"
      actions={
        <output className={styles.state} data-state={stream}>
          {states[stream]}
        </output>
      }
    >
      {story.length === 0 && <p className={styles.none}>No events yet.</p>}
      <ol className={styles.story}>
        {story.map(({ key, title, detail, at, tone }) => (
          <li key={key} data-tone={tone}>
            <span className={styles.title}>
              <b>{title}</b>
              <time dateTime={at} title={at}>
                +{formatDuration(Date.parse(at) - Date.parse(beganAt ?? at))}
              </time>
            </span>
            {detail !== undefined && <p dir="auto">{toSafeLine(detail)}</p>}
          </li>
        ))}
      </ol>
    </Panel>
  )
}
