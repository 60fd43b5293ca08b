import { Button, SegmentedControl } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import type { JsonValue } from '../../api/json.ts'
import { useCan } from '../../api/me.ts'
import { Code } from '../../ui/code.tsx'
import { Panel } from '../../ui/page.tsx'
import { sayFailed } from '../../ui/say.ts'
import { toSnippets } from './snippets.ts'
import styles from './code-tab.module.css'

export interface SnippetProps {
  tool: Api<'ToolDetail'>
  /** As it stands in the form, without what is secret. */
  input: JsonValue
  /** A key that was made on this page; it is kept nowhere. */
  token: string | undefined
  onToken: (token: string) => void
}

/** The same call from elsewhere, as the form stands now. */
export function CodeTab(props: SnippetProps) {
  return (
    <Panel
      title="Use from code"
      description="What is in the form, ready to be pasted. It follows what you type."
    >
      <Snippets {...props} />
    </Panel>
  )
}

/** Under a result: how everybody else would have got it. */
export function OtherWays(props: SnippetProps) {
  return (
    <Panel
      title="Same tool, other ways"
      description="The same call under the same rules, on the same record."
    >
      <Snippets {...props} />
    </Panel>
  )
}

function Snippets({ tool, input, token, onToken }: SnippetProps) {
  const [way, setWay] = useState('curl')
  const snippets = toSnippets({
    tool: tool.name,
    input,
    origin: window.location.origin,
    token,
  })
  const shown = snippets.find(({ id }) => id === way) ?? snippets[0]
  return (
    <div className={styles.snippets}>
      <div className={styles.ways}>
        <SegmentedControl
          aria-label="Way to call"
          size="xs"
          data={snippets.map(({ id, label }) => ({ value: id, label }))}
          value={way}
          onChange={setWay}
        />
      </div>
      {shown !== undefined && <Code text={shown.text} label={`${shown.label} snippet`} />}
      <KeyLine tool={tool.name} token={token} onToken={onToken} />
    </div>
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
    onError: sayFailed,
  })
  if (token !== undefined) {
    return (
      <output className={styles.key}>
        The snippets hold a key that may call tools, for {keyDays} days. It is shown here only: copy
        it before you leave this page. Settings lists it and takes it back.
      </output>
    )
  }
  return (
    <div className={styles.key}>
      <span>
        Snippets read the key from <code>TOOLCRIB_KEY</code>.
      </span>
      {mayMake && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconKey size={14} stroke={1.6} />}
          loading={make.isPending}
          onClick={() => make.mutate()}
        >
          Make a key
        </Button>
      )}
    </div>
  )
}
