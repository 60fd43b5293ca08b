import type { ToolFinding } from '../studio-queries.ts'
import styles from '../studio.module.css'

/** The problems of a document, with their fixes. */
export function FindingsList({ findings }: { findings: readonly ToolFinding[] }) {
  if (findings.length === 0) return <p>No problems found.</p>
  return (
    <ul className={styles.findings} aria-label="Problems">
      {findings.map(({ path, message, fix, severity }) => (
        <li key={`${path} ${message}`} data-severity={severity}>
          <span>
            {severity === 'error' ? 'Error: ' : 'Warning: '}
            {path === '' ? 'The document' : <code>{path.slice(1).replaceAll('/', '.')}</code>}{' '}
            {message}
          </span>
          {fix !== undefined && <span>{fix}</span>}
        </li>
      ))}
    </ul>
  )
}
