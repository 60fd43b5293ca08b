import { ActionIcon, Autocomplete, Button, Input, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconPlus, IconX } from '@tabler/icons-react'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import styles from './pairs-input.module.css'

/** A name and a value: an environment variable or a header. */
export interface Pair {
  name: string
  value: string
}

interface PairsInputProps {
  label: string
  /** The name of one pair, such as "header". */
  one: string
  pairs: readonly Pair[]
  isReadOnly: boolean
  onChange: (pairs: Pair[]) => void
}

/** Environment variables or headers. Secrets are referenced as `secret:name`, never written out. */
export function PairsInput({ label, one, pairs, isReadOnly, onChange }: PairsInputProps) {
  const mayList = useCan('secrets.write')
  const { data } = useQuery({
    queryKey: ['secrets', 'names'],
    queryFn: () => read(api.GET('/api/v1/secrets', { params: { query: { limit: 200 } } })),
    enabled: mayList && !isReadOnly,
  })
  const secrets = [...new Set((data?.items ?? []).map(({ name }) => `secret:${name}`))]
  const set = (at: number, change: Partial<Pair>) =>
    onChange(pairs.map((pair, index) => (index === at ? { ...pair, ...change } : pair)))
  return (
    <fieldset className={styles.pairs} disabled={isReadOnly}>
      <Input.Label component="legend">{label}</Input.Label>
      <Input.Description mb={4}>
        Use secret:name to insert a secret, such as Bearer secret:docs_token
      </Input.Description>
      {pairs.map((pair, index) => (
        <div key={index} className={styles.pair}>
          <TextInput
            aria-label={`Name of ${one} ${index + 1}`}
            placeholder="Name"
            value={pair.name}
            onChange={({ currentTarget }) => set(index, { name: currentTarget.value })}
          />
          <Autocomplete
            aria-label={`Value of ${one} ${index + 1}`}
            placeholder="Value or secret:name"
            data={secrets}
            value={pair.value}
            onChange={(value) => set(index, { value })}
          />
          {!isReadOnly && (
            <ActionIcon
              aria-label={`Remove ${one} ${index + 1}`}
              onClick={() => onChange(pairs.filter((_, at) => at !== index))}
            >
              <IconX size={15} />
            </ActionIcon>
          )}
        </div>
      ))}
      {!isReadOnly && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          onClick={() => onChange([...pairs, { name: '', value: '' }])}
        >
          Add {one}
        </Button>
      )}
    </fieldset>
  )
}
