import type { Api } from '../api/client.ts'
import { LazyDiff } from './lazy-diff.tsx'
import styles from './preview.module.css'

export type Preview = Pick<Api<'CallPreview'>, 'summary' | 'changes' | 'count' | 'warnings'>

/** The changes that a call would make: a summary, a table or diffs, and warnings. */
export function PreviewView({ preview }: { preview: Preview }) {
  const { summary, changes, count = changes.length, warnings = [] } = preview
  const values = changes.filter(({ diff }) => diff === undefined)
  const diffs = changes.filter(({ diff }) => diff !== undefined)
  const left = count - changes.length
  return (
    <div className={styles.preview}>
      <p className={styles.summary} dir="auto">
        {summary}
      </p>
      {warnings.map((warning) => (
        <p key={warning} className={styles.warning} dir="auto">
          {warning}
        </p>
      ))}
      {values.length > 0 && <ChangeTable changes={values} />}
      {diffs.map(({ target, diff = '' }) => (
        <div key={target} className={styles.diff}>
          <span className={styles.target} dir="auto">
            {target}
          </span>
          <LazyDiff text={diff} label={target} />
        </div>
      ))}
      {left > 0 && <p className={styles.more}>{left === 1 ? 'and 1 more' : `and ${left} more`}</p>}
    </div>
  )
}

type Change = Api<'PreviewChange'>

function ChangeTable({ changes }: { changes: readonly Change[] }) {
  const hasBefore = changes.some(({ before }) => before !== undefined)
  const hasAfter = changes.some(({ after }) => after !== undefined)
  return (
    <section className={styles.scroll} tabIndex={0} aria-label="Changes">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Target</th>
            {hasBefore && <th scope="col">Before</th>}
            {hasAfter && <th scope="col">After</th>}
          </tr>
        </thead>
        <tbody>
          {changes.map(({ target, before, after }, index) => (
            <tr key={index}>
              <th scope="row" dir="auto">
                {target}
              </th>
              {hasBefore && (
                <td>{before !== undefined && <del dir="auto">{toText(before)}</del>}</td>
              )}
              {hasAfter && <td>{after !== undefined && <ins dir="auto">{toText(after)}</ins>}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function toText(value: unknown): string {
  if (value === null) return '–'
  if (typeof value !== 'string') return JSON.stringify(value, null, 1)
  return value === '' ? '(empty)' : value
}
