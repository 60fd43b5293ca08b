import { Autocomplete } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { PairsInput } from '../../ui/pairs/pairs-input.tsx'
import type { ApiDraft } from './api-draft.ts'
import type { ApiScheme } from './api-queries.ts'

interface CredentialsProps {
  schemes: readonly ApiScheme[]
  draft: ApiDraft
  isReadOnly?: boolean
  set: (change: Partial<ApiDraft>) => void
}

/** The secrets that sign requests: named here, stored elsewhere. */
export function Credentials({ schemes, draft, isReadOnly = false, set }: CredentialsProps) {
  const mayList = useCan('secrets.write')
  const { data } = useQuery({
    queryKey: ['secrets', 'names'],
    queryFn: () => read(api.GET('/api/v1/secrets', { params: { query: { limit: 200 } } })),
    enabled: mayList && !isReadOnly,
  })
  const names = [...new Set((data?.items ?? []).map(({ name }) => name))]
  return (
    <>
      {schemes
        .filter(({ kind }) => kind !== 'unsupported')
        .map((scheme) => (
          <Autocomplete
            key={scheme.name}
            label={`Secret for ${scheme.name}`}
            description={describe(scheme)}
            placeholder="Name of a secret"
            readOnly={isReadOnly}
            data={names}
            value={draft.auth[scheme.name] ?? ''}
            onChange={(value) => set({ auth: { ...draft.auth, [scheme.name]: value } })}
          />
        ))}
      <PairsInput
        label="Headers"
        one="header"
        isReadOnly={isReadOnly}
        pairs={draft.headers}
        onChange={(headers) => set({ headers })}
      />
    </>
  )
}

function describe({ kind, in: place, parameter }: ApiScheme): string {
  if (kind === 'bearer') return 'Sent as a bearer token'
  if (kind === 'basic') return 'A secret like user:password'
  const places = { header: 'header', query: 'query parameter', cookie: 'cookie' }
  return `Sent in the ${place === undefined ? 'request' : places[place]} ${parameter ?? ''}`.trim()
}
