import type { JsonValue } from '../../api/json.ts'
import { difference, sayPointer } from './difference.ts'
import styles from './approvals.module.css'

const shownAtMost = 50

/** What an edit changes, old and new, before anybody says yes to it. */
export function ChangeList({ before, after }: { before: JsonValue; after: JsonValue }) {
  const changes = difference(before, after)
  if (changes.length === 0) return <p className={styles.hint}>Nothing is changed yet.</p>
  return (
    <section className={styles.changes} aria-label="What you change">
      <span className={styles.label}>
        {changes.length === 1 ? '1 change' : `${changes.length} changes`}
      </span>
      <dl>
        {changes.slice(0, shownAtMost).map(({ pointer, before: old, after: fresh }) => (
          <div key={pointer}>
            <dt dir="auto">{sayPointer(pointer)}</dt>
            <dd>
              {old === undefined ? <em>not set</em> : <del dir="auto">{say(old)}</del>}
              <span aria-hidden="true"> → </span>
              <span className="visually-hidden"> becomes </span>
              {fresh === undefined ? <em>left out</em> : <ins dir="auto">{say(fresh)}</ins>}
            </dd>
          </div>
        ))}
      </dl>
      {changes.length > shownAtMost && (
        <span className={styles.hint}>and {changes.length - shownAtMost} more</span>
      )}
    </section>
  )
}

const longest = 300

function say(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text === '') return '“”'
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
