import { Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useCan } from '../../api/me.ts'
import { Page } from '../../ui/page.tsx'
import { History, isHistory } from './history.tsx'
import { Inbox } from './inbox.tsx'
import { Rules } from './rules.tsx'

const route = getRouteApi('/approvals')

/** Calls waiting for approval, earlier decisions, and remembered approvals. */
export function ApprovalsScreen() {
  const { id, status } = route.useSearch()
  const navigate = route.useNavigate()
  const mayDecide = useCan('approvals.decide')
  const tab = status === 'remembered' ? 'remembered' : isHistory(status) ? 'decided' : 'waiting'
  return (
    <Page
      title="Approvals"
      description={
        mayDecide
          ? 'Tool calls that need a person’s approval. Nothing runs until you decide.'
          : 'Your tool calls that are waiting for approval.'
      }
    >
      <Tabs
        value={tab}
        onChange={(next) =>
          void navigate({ search: next === 'waiting' || next === null ? {} : { status: next } })
        }
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="waiting">Waiting</Tabs.Tab>
          <Tabs.Tab value="decided">Decided</Tabs.Tab>
          <Tabs.Tab value="remembered">Remembered</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="waiting">
          <Inbox id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="decided">
          <History status={isHistory(status) ? (status ?? 'decided') : 'decided'} id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="remembered">
          <Rules />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
