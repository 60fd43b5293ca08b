import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { JsonValue } from '../../api/json.ts'
import { useCan } from '../../api/me.ts'
import { Notice } from '../../ui/notice.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Findings } from './findings.tsx'
import type { McpTool } from './server-queries.ts'
import { TextDiff } from '../../ui/diff/text-diff-view.tsx'
import { useDecide } from './use-decide-tool.ts'
import styles from './mcp-servers.module.css'

interface QuarantinedToolProps {
  server: string
  tool: McpTool
}

/** A tool that can't be called until someone has reviewed it. */
export function QuarantinedTool({ server, tool }: QuarantinedToolProps) {
  const isSuspicious = tool.findings.length > 0
  const decision = <Decision server={server} tool={tool} isSuspicious={isSuspicious} />
  return (
    <section
      className={styles.aside}
      data-suspicious={isSuspicious || undefined}
      aria-label={`${tool.name} is quarantined`}
    >
      <div className={styles.asideHead}>
        <div className={styles.words}>
          <h2>
            <code>{tool.name}</code> <Tag tone={isSuspicious ? 'deny' : 'ask'}>Quarantined</Tag>
          </h2>
          <p>{tool.reason ?? 'It can’t be called until someone accepts it.'}</p>
        </div>
        {!isSuspicious && decision}
      </div>
      {isSuspicious && (
        <Notice tone="deny" title="This tool’s text tries to instruct the model" isApart>
          A model reads this text as if you had written it. Reject the tool unless you know why its
          server contains this.
          <Findings tool={tool} />
        </Notice>
      )}
      {(tool.differences ?? []).map(({ path, before, after }) => (
        <div key={path} className={styles.difference}>
          <h3>{describePath(path)}</h3>
          <TextDiff
            before={before as JsonValue | undefined}
            after={after as JsonValue | undefined}
          />
        </div>
      ))}
      {isSuspicious && decision}
    </section>
  )
}

/** Rejecting is the prominent choice: with findings, accepting takes a confirmation first. */
function Decision({
  server,
  tool,
  isSuspicious,
}: QuarantinedToolProps & { isSuspicious: boolean }) {
  const decide = useDecide(server, tool)
  const mayDecide = useCan('tools.approve')
  const [isTicked, setTicked] = useState(false)
  if (!mayDecide) {
    return <p className={styles.place}>Someone with the permission tools.approve decides.</p>
  }
  if (tool.hash === undefined) return null
  const accept = (
    <Button
      variant={isSuspicious ? 'default' : 'filled'}
      disabled={isSuspicious && !isTicked}
      loading={decide.isPending && decide.variables === 'accept'}
      onClick={() => decide.mutate('accept')}
    >
      {isSuspicious ? 'Accept anyway' : 'Accept'}
    </Button>
  )
  const reject = (
    <Button
      variant={isSuspicious ? 'filled' : 'default'}
      loading={decide.isPending && decide.variables === 'reject'}
      onClick={() => decide.mutate('reject')}
    >
      Reject
    </Button>
  )
  return (
    <div className={styles.decide}>
      {reject}
      {accept}
      {isSuspicious && (
        <Checkbox
          label="I have read the text and trust it"
          checked={isTicked}
          onChange={(event) => setTicked(event.currentTarget.checked)}
        />
      )}
    </div>
  )
}

function describePath(path: string): string {
  const [first = '', ...rest] = path.split('/').filter(Boolean)
  const names: Record<string, string> = {
    name: 'Name',
    description: 'Description',
    title: 'Title',
    inputSchema: 'Input schema',
    outputSchema: 'Output schema',
    annotations: 'Annotations',
    icons: 'Icons',
    execution: 'Execution',
    _meta: 'Metadata',
  }
  const said = Object.hasOwn(names, first) ? names[first] : first
  return [said, ...rest].join(' / ') || 'Whole definition'
}
