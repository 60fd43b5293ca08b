import { Button, Tabs } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { IconPlus, IconTool } from '@tabler/icons-react'
import { useCan } from '../../api/me.ts'
import { useCreating } from '../../ui/dialog/creating.ts'
import { FilterInput, isNarrowed, useSearchQuery } from '../../ui/list/filter-input.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { Row, RowList, rowLink } from '../../ui/list/row-list.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty, Failed, NotAllowed } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import type { Api } from '../../api/client.ts'
import { DraftList } from './draft-list.tsx'
import { NewTool } from './new-tool.tsx'
import { OtherTools } from './other-tools.tsx'
import { authoredQuery } from './studio-queries.ts'
import { specKinds } from './spec/spec-draft.ts'
import styles from './studio.module.css'

const route = getRouteApi('/studio')

/** The tools that are made in the console, drafts of them, and tools of others that can be changed. */
export function StudioScreen() {
  const mayAuthor = useCan('tools.author')
  const [isNew, { open, close }] = useCreating('tool')
  const { tab = 'tools' } = route.useSearch()
  const navigate = route.useNavigate()
  return (
    <Page
      title="Studio"
      description="Make tools without a file: from steps, a request, a prompt or code. They follow the same policy, approvals and record as all others."
      actions={
        mayAuthor && (
          <Button leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={open}>
            New tool
          </Button>
        )
      }
    >
      {mayAuthor ? (
        <Tabs
          value={['drafts', 'others'].includes(tab) ? tab : 'tools'}
          onChange={(next) =>
            void navigate({ search: next === null || next === 'tools' ? {} : { tab: next } })
          }
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="tools">Made here</Tabs.Tab>
            <Tabs.Tab value="drafts">Drafts</Tabs.Tab>
            <Tabs.Tab value="others">From code and servers</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="tools">{tab === 'tools' && <Authored onNew={open} />}</Tabs.Panel>
          <Tabs.Panel value="drafts">{tab === 'drafts' && <DraftList />}</Tabs.Panel>
          <Tabs.Panel value="others">{tab === 'others' && <OtherTools />}</Tabs.Panel>
        </Tabs>
      ) : (
        <NotAllowed>You need tools.author to make tools.</NotAllowed>
      )}
      {isNew && <NewTool onClose={close} />}
    </Page>
  )
}

function Authored({ onNew }: { onNew: () => void }) {
  const { q = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const asked = useSearchQuery(q)
  const tools = useInfiniteQuery(authoredQuery(asked))
  if (tools.data === undefined) {
    return tools.isError ? (
      <Failed error={tools.error} retry={() => void tools.refetch()} />
    ) : (
      <Loading rows={4} height={64} />
    )
  }
  const found = tools.data.pages.flatMap(({ items }) => items)
  if (found.length === 0 && !isNarrowed(q, asked, tools)) return <NoTools onNew={onNew} />
  return (
    <>
      <FilterInput
        mb="md"
        label="Filter tools"
        placeholder="Filter by name or title"
        value={q}
        onChange={(text) =>
          void navigate({ search: text === '' ? {} : { q: text }, replace: true })
        }
      />
      {found.length === 0 ? (
        <Empty
          title="No tools found"
          actions={
            <Button variant="default" onClick={() => void navigate({ search: {} })}>
              Clear filter
            </Button>
          }
        />
      ) : (
        <RowList>
          {found.map((tool) => (
            <AuthoredRow key={`${tool.kind} ${tool.name}`} tool={tool} />
          ))}
        </RowList>
      )}
      <LoadMore query={tools} />
    </>
  )
}

function NoTools({ onNew }: { onNew: () => void }) {
  return (
    <Empty
      title="No tools made here yet"
      icon={<IconTool size={24} stroke={1.5} aria-hidden="true" />}
      actions={<Button onClick={onNew}>New tool</Button>}
    >
      Put tools together in steps, send a request to a web service, ask a model, or write code. Test
      it here, then publish it for agents and people.
    </Empty>
  )
}

function AuthoredRow({ tool }: { tool: Api<'AuthoredTool'> }) {
  const { name, title, kind, isEnabled, number, problem, updatedAt } = tool
  const kindName = specKinds.find(({ value }) => value === kind)?.label ?? kind
  return (
    <Row
      facts={
        <>
          {kind === 'override' ? <Tag>Changed here</Tag> : <Tag>{kindName}</Tag>}
          {number !== undefined && <span>Version {number}</span>}
          {!isEnabled && <Tag tone="ask">Disabled</Tag>}
          {problem !== undefined && <Tag tone="deny">Broken</Tag>}
          <TimeAgo at={updatedAt} />
        </>
      }
    >
      <span className={styles.name}>
        <Link to="/studio/$name" params={{ name }} className={rowLink} dir="auto">
          {title ?? name}
        </Link>
        {title !== undefined && <code>{name}</code>}
      </span>
      {problem !== undefined && <p className={styles.reason}>{problem}</p>}
    </Row>
  )
}
