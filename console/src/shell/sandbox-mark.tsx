import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useCan } from '../api/me.ts'
import { sandboxQuery } from '../screens/settings/sandbox/sandbox-query.ts'
import { Tag } from '../ui/tag.tsx'

/** The first answer of a server costs it a self-test, which must not delay what somebody came for. */
const restMs = 3000

/** A warning on every screen while programs of agents run without a sandbox. */
export function SandboxMark() {
  const mayRead = useCan('audit.read')
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), restMs)
    return () => clearTimeout(timer)
  }, [])
  const { data } = useQuery({ ...sandboxQuery, enabled: mayRead && isDue })
  if (data?.state !== 'unsandboxed') return null
  return (
    <Link to="/settings/{-$section}" params={{ section: 'sandbox' }}>
      <Tag tone="deny" title="Programs that agents run are not kept apart from this server">
        Unsandboxed
      </Tag>
    </Link>
  )
}
