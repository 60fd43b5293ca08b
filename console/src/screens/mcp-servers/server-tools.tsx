import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import { refreshServers } from '../../api/refresh-servers.ts'
import { useCan } from '../../api/me.ts'
import { ApiProblem } from '../../api/problem.ts'
import { FilterInput } from '../../ui/list/filter-input.tsx'
import { ShowMore } from '../../ui/list/show-more.tsx'
import { EffectTag } from '../../ui/status-tags.tsx'
import { Row, RowList } from '../../ui/list/row-list.tsx'
import { confirm, notifySuccess, notifyFailure } from '../../ui/notify.ts'
import { QueryView } from '../../ui/query-view.tsx'
import { Empty } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { serverToolsQuery } from './server-queries.ts'
import type { DecidedTool, McpServer, McpTool } from './server-queries.ts'
import { ToolHint, UntrustedHints } from './tool-hints.tsx'
import { QuarantinedTool } from './quarantined-tool.tsx'
import { Findings } from './findings.tsx'
import { useDecide } from './use-decide-tool.ts'
import styles from './mcp-servers.module.css'

/** The tools of a server, those in quarantine first with their changes. */
export function ServerTools({ server }: { server: McpServer }) {
  const [q, setQ] = useState('')
  const tools = useQuery(serverToolsQuery(server.name))
  return (
    <QueryView query={tools}>
      {(items) => {
        if (items.length === 0) return <NoTools server={server} />
        const aside = items.filter(({ state }) => state === 'quarantined')
        // A possible attack has to be accepted one by one.
        const plain = aside.filter(({ findings }) => findings.length === 0)
        const rest = items.filter(
          ({ state, name, description }) =>
            state !== 'quarantined' &&
            `${name} ${description ?? ''}`.toLowerCase().includes(q.trim().toLowerCase()),
        )
        return (
          <>
            {plain.length > 1 && <AcceptAll server={server.name} tools={plain} />}
            <ShowMore items={aside} step={20}>
              {(shown) =>
                shown.map((tool) => (
                  <QuarantinedTool key={tool.name} server={server.name} tool={tool} />
                ))
              }
            </ShowMore>
            <UntrustedHints server={server} tools={items} />
            {items.length > 12 && (
              <FilterInput mb="md" label="Filter tools" value={q} onChange={setQ} />
            )}
            {rest.length > 0 && (
              <ShowMore items={rest} step={100}>
                {(shown) => (
                  <RowList>
                    {shown.map((tool) => (
                      <ToolRow key={tool.name} server={server} tool={tool} />
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

function NoTools({ server: { state } }: { server: McpServer }) {
  const isUp = state === 'connected' || state === 'idle'
  return (
    <Empty title={isUp ? 'No tools' : 'Tools unknown'}>
      {isUp
        ? 'The server lists no tools, or its settings exclude all of them.'
        : 'Tools appear once the server can be reached.'}
    </Empty>
  )
}

/** An update of a server may change all its tools at once. */
function AcceptAll({ server, tools }: { server: string; tools: readonly McpTool[] }) {
  const mayDecide = useCan('tools.approve')
  const queryClient = useQueryClient()
  const accept = useMutation({
    mutationFn: () => acceptEach(server, tools),
    onSuccess(left) {
      const accepted = tools.length - left.length
      if (accepted > 0) notifySuccess(`${accepted} ${accepted === 1 ? 'tool' : 'tools'} accepted`)
      if (left.length > 0) notifyFailure(toProblem(left))
    },
    onError: notifyFailure,
    onSettled: () => refreshServers(queryClient),
  })
  async function ask(): Promise<void> {
    const isSure = await confirm({
      title: `Accept all ${tools.length} tools?`,
      message:
        'This accepts every change on this page, including those further down. Models read these texts.',
      confirmLabel: 'Accept all',
    })
    if (isSure) accept.mutate()
  }
  if (!mayDecide) return null
  return (
    <Button mb="md" variant="default" loading={accept.isPending} onClick={() => void ask()}>
      Accept all {tools.length}
    </Button>
  )
}

/** Per request: more would take too long without feedback. */
const acceptedAtOnce = 500

/** Accepts the versions shown, and returns the tools that changed again and were skipped. */
async function acceptEach(server: string, tools: readonly McpTool[]): Promise<DecidedTool[]> {
  const left: DecidedTool[] = []
  for (let from = 0; from < tools.length; from += acceptedAtOnce) {
    const decisions = tools
      .slice(from, from + acceptedAtOnce)
      .map(({ name, hash = '' }) => ({ tool: name, hash, verdict: 'accept' as const }))
    const init = { params: { path: { name: server } }, body: { decisions } }
    const answer = await read(api.POST('/api/v1/mcp-servers/{name}/tools/decisions', init))
    left.push(...answer.items.filter(({ problem }) => problem !== undefined))
  }
  return left
}

/** The error of the first skipped tool. */
function toProblem(left: readonly DecidedTool[]): ApiProblem {
  const [first] = left
  const others = left.length > 1 ? ` (and ${left.length - 1} more)` : ''
  const { code = 'conflict', fix } = first?.problem ?? {}
  const message = `${first?.problem?.message ?? 'Not all were accepted'}${others}`
  return new ApiProblem({ code, message, status: 409, ...(fix && { fix }) })
}

function ToolRow({ server, tool }: { server: McpServer; tool: McpTool }) {
  const mayDecide = useCan('tools.approve')
  const decide = useDecide(server.name, tool)
  return (
    <Row
      facts={
        <>
          <EffectTag effect={tool.effect} />
          <Tag tone={tool.state === 'ready' ? 'allow' : 'plain'}>
            {tool.state === 'ready' ? 'Active' : 'Excluded'}
          </Tag>
          {mayDecide && tool.state === 'ready' && tool.hash !== undefined && (
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
      {tool.tool === undefined ? (
        <code>{tool.name}</code>
      ) : (
        <Link to="/tools/$name" params={{ name: tool.tool }}>
          {tool.name}
        </Link>
      )}
      {tool.description !== undefined && <p className={styles.says}>{tool.description}</p>}
      {tool.reason !== undefined && <p>{tool.reason}</p>}
      <ToolHint server={server} tool={tool} />
      <Findings tool={tool} />
    </Row>
  )
}
