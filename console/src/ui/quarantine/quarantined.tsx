import type { ReactNode } from 'react'
import type { JsonValue } from '../../api/json.ts'
import { TextDiff } from '../diff/text-diff-view.tsx'
import { Tag } from '../tag.tsx'
import { describePath } from './describe-path.ts'
import styles from './quarantine.module.css'

interface QuarantinedProps {
  name: string
  /** Why it can't be called. */
  reason: string | undefined
  differences: readonly { path: string; before?: unknown; after?: unknown }[] | undefined
  decision: ReactNode
  /** Beside its name. */
  tags?: ReactNode
  /** Below the reason. */
  notes?: ReactNode
  /** Must be read first, so the decision comes last. */
  warning?: ReactNode
}

/** A tool from elsewhere that can't be called until someone has reviewed its differences. */
export function Quarantined(props: QuarantinedProps) {
  const { name, reason, differences = [], decision, tags, notes, warning } = props
  const isSuspicious = warning !== undefined
  return (
    <section
      className={styles.aside}
      data-suspicious={isSuspicious || undefined}
      aria-label={`${name} is quarantined`}
    >
      <div className={styles.head}>
        <div className={styles.words}>
          <h2>
            <code>{name}</code> {tags}
            <Tag tone={isSuspicious ? 'deny' : 'ask'}>Quarantined</Tag>
          </h2>
          <p>{reason ?? 'It can’t be called until someone accepts it.'}</p>
          {notes}
        </div>
        {!isSuspicious && decision}
      </div>
      {warning}
      {differences.map(({ path, before, after }) => (
        <div key={path} className={styles.difference}>
          <h3>{describePath(path)}</h3>
          <TextDiff
            before={before as JsonValue | undefined}
            after={after as JsonValue | undefined}
          />
        </div>
      ))}
      {isSuspicious && decision}
    </section>
  )
}
