import { Button, Group, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
import { Panel } from '../../../ui/page.tsx'
import { sayDone, sayFailed } from '../../../ui/say.ts'
import { Tag } from '../../../ui/tag.tsx'
import type { Tone } from '../../../ui/tag.tsx'
import { findTokens } from './find-tokens.ts'
import styles from '../settings.module.css'

type Report = Api<'TokenReport'>

const looks: Record<Report['state'], readonly [Tone, string]> = {
  live: ['deny', 'works: revoke it'],
  replaced: ['plain', 'replaced by a rotation'],
  expired: ['plain', 'expired'],
  revoked: ['plain', 'revoked'],
  unknown: ['plain', 'not of this tenant'],
}

/** For keys that turned up where they should not be: which of them still work? */
export function CheckTokens() {
  const queryClient = useQueryClient()
  const [text, setText] = useState('')
  const tokens = findTokens(text)
  const check = useMutation({
    mutationFn: () => read(api.POST('/api/v1/keys/check', { body: { tokens } })),
    // What leaked stays on the screen no longer than it has to.
    onSuccess: () => setText(''),
    onError: sayFailed,
  })
  const revoke = useMutation({
    mutationFn: (id: string) => read(api.DELETE('/api/v1/keys/{id}', { params: { path: { id } } })),
    onSuccess: (_, id) => {
      sayDone(`${id} no longer works`)
      check.reset()
    },
    onError: sayFailed,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['keys'] }),
  })
  return (
    <Panel
      title="A key that leaked"
      description="Paste a log or a file: keys in it are found, and you are told which still work. Asking is no use of them."
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
            (tokens.length === 1 ? '1 key found' : `${tokens.length} keys found in the text`)}
        </output>
      </Group>
      <output>
        {check.data?.items.map(({ id, name, state }, at) => (
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
        ))}
      </output>
    </Panel>
  )
}
