import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { type Pair, PairRows } from './pair-rows.tsx'

interface PairsInputProps {
  label: string
  /** The name of one pair, such as "header". */
  one: string
  pairs: readonly Pair[]
  isReadOnly: boolean
  onChange: (pairs: Pair[]) => void
}

/** Environment variables or headers. Secrets are referenced as `secret:name`, never written out. */
export function PairsInput(props: PairsInputProps) {
  const mayList = useCan('secrets.write')
  const { data } = useQuery({
    queryKey: ['secrets', 'names'],
    queryFn: () => read(api.GET('/api/v1/secrets', { params: { query: { limit: 200 } } })),
    enabled: mayList && !props.isReadOnly,
  })
  return (
    <PairRows
      {...props}
      description="Use secret:name to insert a secret, such as Bearer secret:docs_token"
      placeholder="Value or secret:name"
      suggestions={[...new Set((data?.items ?? []).map(({ name }) => `secret:${name}`))]}
    />
  )
}
