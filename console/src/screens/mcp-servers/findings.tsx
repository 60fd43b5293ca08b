import { Tag } from '../../ui/tag.tsx'
import type { McpTool } from './server-queries.ts'
import styles from './mcp-servers.module.css'

/** Suspicious passages in the text of a tool. */
export function Findings({ tool: { findings } }: { tool: Pick<McpTool, 'findings'> }) {
  if (findings.length === 0) return null
  return (
    <ul className={styles.findings} aria-label="Findings">
      {findings.map(({ kind, path, message }) => (
        <li key={`${kind} ${path} ${message}`}>
          <Tag tone="deny">{kind === 'hidden' ? 'Hidden text' : 'Instruction'}</Tag> {message}{' '}
          <code>{path}</code>
        </li>
      ))}
    </ul>
  )
}
