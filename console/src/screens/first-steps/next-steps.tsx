import { Link } from '@tanstack/react-router'
import { holds } from '../../api/me.ts'
import styles from './first-steps.module.css'

interface NextStepsProps {
  permissions: readonly string[]
  onNavigate: () => void
}

/** What to do next, as far as this person has permission. */
export function NextSteps({ permissions, onNavigate }: NextStepsProps) {
  return (
    <div className={styles.how}>
      You’re all set. Next:
      <ul className={styles.next}>
        <li>
          <Link to="/settings/{-$section}" params={{ section: 'connect' }} onClick={onNavigate}>
            Connect Claude
          </Link>
        </li>
        {holds(permissions, 'mcp.manage') && (
          <li>
            <Link to="/mcp-servers" onClick={onNavigate}>
              Add an MCP server
            </Link>
          </li>
        )}
        {holds(permissions, 'members.manage') && (
          <li>
            <Link to="/settings/{-$section}" params={{ section: 'members' }} onClick={onNavigate}>
              Invite someone
            </Link>
          </li>
        )}
      </ul>
    </div>
  )
}
