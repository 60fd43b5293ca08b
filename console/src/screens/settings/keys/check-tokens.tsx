import { Button, Group, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
import { Panel } from '../../../ui/page.tsx'
import { notifySuccess, notifyFailure } from '../../../ui/notify.ts'
import { Tag } from '../../../ui/tag.tsx'
import type { Tone } from '../../../ui/tag.tsx'
import { findTokens } from './find-tokens.ts'
import styles from '../settings.module.css'

type Report = Api<'TokenReport'>

const looks: Record<Report['state'], readonly [Tone, string]> = {
  live: ['deny', 'Active'],
  replaced: ['plain', 'Rotated'],
  expired: ['plain', 'Expired'],
  revoked: ['plain', 'Revoked'],
  unknown: ['plain', 'Not a key of this tenant'],
  not_a_key: ['plain', 'Not a key'],
}

/** Checks leaked text for keys that are still active. */
export function CheckTokens() {
  const [text, setText] = useState('')
  const tokens = findTokens(text)
  const check = useMutation({
    mutationFn: () => read(api.POST('/api/v1/keys/check', { body: { tokens } })),
    // Clears the leaked keys from the screen as soon as possible.
    onSuccess: () => setText(''),
    onError: notifyFailure,
  })
  return (
    <Panel
      title="Leaked keys"
      description="Paste a log or a file to find the keys in it and see which are still active. Checking a key does not use it."
    >
      <Textarea
        aria-label="Text with keys"
        placeholder="crib_…"
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
        autosize
        minRows={2}
        maxRows={8}
        autoComplete="off"
        spellCheck={false}
      />
      <Group mt="sm" gap="sm">
        <Button
          variant="default"
          disabled={tokens.length === 0}
          loading={check.isPending}
          onClick={() => check.mutate()}
        >
          Check
        </Button>
        <output className={styles.dim}>
          {text !== '' &&
            (tokens.length === 1 ? '1 possible key found' : `${tokens.length} possible keys found`)}
        </output>
      </Group>
      <output>
        <Reports items={check.data?.items ?? []} onRevoked={check.reset} />
      </output>
    </Panel>
  )
}

interface ReportsProps {
  items: readonly Report[]
  onRevoked: () => void
}

function Reports({ items, onRevoked }: ReportsProps) {
  const queryClient = useQueryClient()
  const revoke = useMutation({
    mutationFn: (id: string) => read(api.DELETE('/api/v1/keys/{id}', { params: { path: { id } } })),
    onSuccess: (_, id) => {
      notifySuccess(`Key ${id} revoked`)
      onRevoked()
    },
    onError: notifyFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['keys'] }),
  })
  return items.map(({ id, name, state }, at) => (
    <Group key={`${id} ${at}`} mt="sm" gap="sm">
      <code>{id}</code>
      {name !== undefined && <span dir="auto">{name}</span>}
      <Tag tone={looks[state][0]}>{looks[state][1]}</Tag>
      {state === 'live' && (
        <Button size="compact-xs" color="red" onClick={() => revoke.mutate(id)}>
          Revoke
        </Button>
      )}
    </Group>
  ))
}
