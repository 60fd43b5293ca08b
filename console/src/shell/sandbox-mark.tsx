import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useCan } from '../api/me.ts'
import { sandboxQuery } from '../screens/settings/sandbox/sandbox-query.ts'
import { Tag } from '../ui/tag.tsx'

/** A warning on every screen while programs of agents run without a sandbox. */
export function SandboxMark() {
  const mayRead = useCan('audit.read')
  const { data } = useQuery({ ...sandboxQuery, enabled: mayRead })
  if (data?.state !== 'unsandboxed') return null
  return (
    <Link to="/settings/{-$section}" params={{ section: 'sandbox' }}>
      <Tag tone="deny" title="Programs that agents run are not kept apart from this server">
        Unsandboxed
      </Tag>
    </Link>
  )
}
