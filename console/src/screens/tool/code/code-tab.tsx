import { Button, SegmentedControl } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconKey } from '@tabler/icons-react'
import { useDeferredValue, useMemo, useState } from 'react'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
import { useCan } from '../../../api/me.ts'
import type { ToolInputState } from '../../../form/tool-input.tsx'
import { Code } from '../../../ui/code.tsx'
import { Panel } from '../../../ui/page.tsx'
import { notifyFailure } from '../../../ui/notify.ts'
import type { RunState } from '../run-state.ts'
import { toSnippetInput } from './snippet-input.ts'
import { toSnippets } from './snippets.ts'
import styles from './code-tab.module.css'

export interface SnippetProps {
  tool: Api<'ToolDetail'>
  /** The current form values. */
  input: ToolInputState
  run: RunState | undefined
  /** A key created on this page; it is not stored. */
  token: string | undefined
  onToken: (token: string) => void
}

/** The same call from code, with the current form values. */
export function CodeTab(props: SnippetProps) {
  return <Snippets title="Use from code" {...props} />
}

/** Below a result: the same call from code. */
export function OtherWays(props: SnippetProps) {
  return <Snippets title="Run this from code" {...props} />
}

function Snippets({ title, tool, input, run, token, onToken }: SnippetProps & { title: string }) {
  const [way, setWay] = useState('curl')
  // Deferred: checking whether the form is valid looks at all of it.
  const value = useDeferredValue(input.value)
  const given = useMemo(
    () => toSnippetInput({ store: input.store, value, run, examples: tool.examples }),
    [input.store, value, run, tool.examples],
  )
  const snippets = toSnippets({
    tool: tool.name,
    input: given.input,
    origin: window.location.origin,
    token,
  })
  const shown = snippets.find(({ id }) => id === way) ?? snippets[0]
  return (
    <Panel title={title} description={given.source}>
      <div className={styles.snippets}>
        <div className={styles.ways}>
          <SegmentedControl
            aria-label="Language or client"
            size="xs"
            data={snippets.map(({ id, label }) => ({ value: id, label }))}
            value={way}
            onChange={setWay}
          />
        </div>
        {shown !== undefined && <Code text={shown.text} label={`${shown.label} snippet`} />}
        <KeyLine tool={tool.name} token={token} onToken={onToken} />
      </div>
    </Panel>
  )
}

const keyDays = 30

function KeyLine({
  tool,
  token,
  onToken,
}: Pick<SnippetProps, 'token' | 'onToken'> & { tool: string }) {
  const mayMake = useCan('keys.manage')
  const make = useMutation({
    mutationFn: () =>
      read(
        api.POST('/api/v1/keys', {
          body: {
            name: `Console: ${tool}`.slice(0, 100),
            scopes: ['tools.call'],
            expiresAt: new Date(Date.now() + keyDays * 86_400_000).toISOString(),
          },
        }),
      ),
    onSuccess: (issued) => onToken(issued.token),
    onError: notifyFailure,
  })
  if (token !== undefined) {
    return (
      <output className={styles.key}>
        The snippets contain a key that can call tools for {keyDays} days. It is shown only once, so
        copy it before you leave this page. You can revoke it under Settings.
      </output>
    )
  }
  return (
    <div className={styles.key}>
      <span>
        Reads the key from <code>TOOLCRIB_KEY</code>.
      </span>
      {mayMake && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconKey size={14} stroke={1.6} />}
          loading={make.isPending}
          onClick={() => make.mutate()}
        >
          Create key
        </Button>
      )}
    </div>
  )
}
