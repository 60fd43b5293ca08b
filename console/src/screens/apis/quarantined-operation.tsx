import { Button } from '@mantine/core'
import type { JsonValue } from '../../api/json.ts'
import { useCan } from '../../api/me.ts'
import { TextDiff } from '../../ui/diff/text-diff-view.tsx'
import { EffectTag } from '../../ui/status-tags.tsx'
import { Tag } from '../../ui/tag.tsx'
import type { ApiTool } from './api-queries.ts'
import { useDecide } from './use-decide.ts'
import styles from './apis.module.css'

interface QuarantinedOperationProps {
  name: string
  tool: ApiTool
}

/** An operation that can't be called until someone has reviewed it. */
export function QuarantinedOperation({ name, tool }: QuarantinedOperationProps) {
  return (
    <section className={styles.aside} aria-label={`${tool.name} is quarantined`}>
      <div className={styles.asideHead}>
        <div className={styles.words}>
          <h2>
            <code>{tool.name}</code> <EffectTag effect={tool.effect} />
            <Tag tone="ask">Quarantined</Tag>
          </h2>
          <p>{tool.reason ?? 'It can’t be called until someone accepts it.'}</p>
          {tool.findings.map(({ message }) => (
            <p key={message} className={styles.finding}>
              {message}
            </p>
          ))}
        </div>
        {tool.differences !== undefined && <Decision name={name} tool={tool} />}
      </div>
      {(tool.differences ?? []).map(({ path, before, after }) => (
        <div key={path} className={styles.difference}>
          <h3>{describePath(path)}</h3>
          <TextDiff
            before={before as JsonValue | undefined}
            after={after as JsonValue | undefined}
          />
        </div>
      ))}
    </section>
  )
}

function Decision({ name, tool }: QuarantinedOperationProps) {
  const decide = useDecide(name, [tool])
  const mayDecide = useCan('tools.approve')
  if (!mayDecide) {
    return <p className={styles.place}>Someone with the permission tools.approve decides.</p>
  }
  return (
    <div className={styles.decide}>
      <Button
        variant="default"
        loading={decide.isPending && decide.variables === 'reject'}
        onClick={() => decide.mutate('reject')}
      >
        Reject
      </Button>
      <Button
        loading={decide.isPending && decide.variables === 'accept'}
        onClick={() => decide.mutate('accept')}
      >
        Accept
      </Button>
    </div>
  )
}

const places: Readonly<Record<string, string>> = {
  name: 'Name',
  title: 'Title',
  description: 'Description',
  method: 'Verb',
  path: 'Path',
  server: 'Server',
  inputSchema: 'Input schema',
  outputSchema: 'Output schema',
  parameters: 'Parameters',
  body: 'Body',
  security: 'Security',
  tags: 'Tags',
  accept: 'Response types',
}

function describePath(path: string): string {
  const [first = '', ...rest] = path.split('/').filter(Boolean)
  const said = Object.hasOwn(places, first) ? places[first] : first
  return [said, ...rest].join(' / ') || 'Whole definition'
}
