import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCan } from '../../api/me.ts'
import { FilterInput } from '../../ui/list/filter-input.tsx'
import { Row, RowList } from '../../ui/list/row-list.tsx'
import { ShowMore } from '../../ui/list/show-more.tsx'
import { confirm } from '../../ui/notify.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { Empty } from '../../ui/states.tsx'
import { EffectTag } from '../../ui/status-tags.tsx'
import { Tag } from '../../ui/tag.tsx'
import { apiToolsQuery } from './api-queries.ts'
import type { ApiTool, ImportedApi } from './api-queries.ts'
import { MakeOwnButton } from './make-own-button.tsx'
import { QuarantinedOperation } from './quarantined-operation.tsx'
import { useDecide } from './use-decide.ts'
import styles from './apis.module.css'

/** The operations of an API, those in quarantine first with their changes. */
export function ApiTools({ imported: { name } }: { imported: ImportedApi }) {
  const [q, setQ] = useState('')
  const tools = useQuery(apiToolsQuery(name))
  return (
    <QueryView query={tools}>
      {(items) => {
        if (items.length === 0) {
          return <Empty title="No operations">They appear once the document was read.</Empty>
        }
        const aside = items.filter(({ state }) => state === 'quarantined')
        // Without differences there is nothing to accept: the operation itself can't be used.
        const open = aside.filter(({ differences }) => differences !== undefined)
        const words = q.trim().toLowerCase().split(/\s+/)
        const rest = items.filter(
          (tool) =>
            tool.state !== 'quarantined' && words.every((word) => textOf(tool).includes(word)),
        )
        return (
          <>
            {open.length > 1 && <AcceptAll name={name} tools={open} />}
            <ShowMore items={aside} step={20}>
              {(shown) =>
                shown.map((tool) => (
                  <QuarantinedOperation key={tool.name} name={name} tool={tool} />
                ))
              }
            </ShowMore>
            {items.length > 12 && (
              <FilterInput mb="md" label="Filter operations" value={q} onChange={setQ} />
            )}
            {rest.length > 0 && (
              <ShowMore items={rest} step={100}>
                {(shown) => (
                  <RowList>
                    {shown.map((tool) => (
                      <OperationRow key={tool.name} name={name} tool={tool} />
                    ))}
                  </RowList>
                )}
              </ShowMore>
            )}
          </>
        )
      }}
    </QueryView>
  )
}

/** A new version of an API may change many of its operations. */
function AcceptAll({ name, tools }: { name: string; tools: readonly ApiTool[] }) {
  const mayDecide = useCan('tools.approve')
  const decide = useDecide(name, tools)
  async function ask(): Promise<void> {
    const isSure = await confirm({
      title: `Accept all ${tools.length} operations?`,
      message:
        'This accepts every change on this page, including those further down. Models read these texts.',
      confirmLabel: 'Accept all',
    })
    if (isSure) decide.mutate('accept')
  }
  if (!mayDecide) return null
  return (
    <Button mb="md" variant="default" loading={decide.isPending} onClick={() => void ask()}>
      Accept all {tools.length}
    </Button>
  )
}

function OperationRow({ name, tool }: { name: string; tool: ApiTool }) {
  const mayDecide = useCan('tools.approve')
  const decide = useDecide(name, [tool])
  const isReady = tool.state === 'ready'
  return (
    <Row
      facts={
        <>
          <EffectTag effect={tool.effect} />
          <Tag tone={isReady ? 'allow' : 'plain'}>{isReady ? 'Active' : 'Excluded'}</Tag>
          {tool.state !== 'quarantined' && <MakeOwnButton api={name} tool={tool} />}
          {mayDecide && isReady && (
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              aria-label={`Quarantine ${tool.name}`}
              loading={decide.isPending}
              onClick={() => decide.mutate('reject')}
            >
              Quarantine
            </Button>
          )}
        </>
      }
    >
      {isReady ? (
        <Link to="/tools/$name" params={{ name: tool.tool }}>
          {tool.name}
        </Link>
      ) : (
        <code>{tool.name}</code>
      )}
      <p className={styles.place}>
        {tool.method} {tool.path}
        {tool.title !== tool.name && ` · ${tool.title}`}
      </p>
      {tool.findings.map(({ message }) => (
        <p key={message} className={styles.finding}>
          {message}
        </p>
      ))}
    </Row>
  )
}

function textOf({ name, title, method, path, tags }: ApiTool): string {
  return [name, title, method, path, ...tags].join(' ').toLowerCase()
}
