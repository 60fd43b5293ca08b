import { Button } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { IconCalendarTime, IconPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { usePollMs } from '../../live/use-live.ts'
import { useCreating } from '../../ui/dialog/creating.ts'
import { ListView } from '../../ui/list/list-view.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { Empty, NotAllowed } from '../../ui/states.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { usePreload } from '../../ui/use-preload.ts'
import { ScheduleDrawer } from './schedule-drawer.tsx'
import { ScheduleTable } from './schedule-table.tsx'
import type { Schedule } from './use-schedule-actions.ts'

// The editor loads the whole form.
const ScheduleEditor = lazyPart(async () => (await import('./schedule-editor.tsx')).ScheduleEditor)

const route = getRouteApi('/schedules')
const purpose = 'Run tools on a schedule.'

/** The schedules: next run, last result, and actions. */
export function SchedulesScreen() {
  const mayManage = useCan('schedules.manage')
  const mayRead = useCan('audit.read')
  if (mayManage || mayRead) return <Schedules mayManage={mayManage} />
  return (
    <Page title="Schedules" description={purpose}>
      <NotAllowed>You need the permission schedules.manage to see schedules.</NotAllowed>
    </Page>
  )
}

function Schedules({ mayManage }: { mayManage: boolean }) {
  usePreload(ScheduleEditor.load)
  const { id, tool } = route.useSearch()
  const navigate = route.useNavigate()
  const mayCall = useCan('tools.call') && mayManage
  const [edited, setEdited] = useState<Schedule>()
  const [isNew, { open: create, close: leaveNew }] = useCreating('schedule')
  const query = useSchedules()
  const items = query.data?.pages.flatMap((page) => page.items)
  const open = (wanted: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, id: wanted }) })
  // Linked from a tool: opens a new schedule for it.
  const subject = edited ?? ((isNew || tool !== undefined) && mayCall ? 'new' : undefined)
  const newButton = mayCall ? (
    <Button leftSection={<IconPlus size={16} />} onClick={create}>
      New schedule
    </Button>
  ) : undefined
  const leaveEditor = (saved?: Schedule) => {
    setEdited(undefined)
    leaveNew()
    void navigate({
      search: (before) => ({ id: saved?.id ?? before.id }),
      replace: true,
    })
  }
  return (
    <Page title="Schedules" description={purpose} actions={newButton}>
      <Panel isFlush>
        <ListView query={query} items={items} empty={<NothingScheduled action={newButton} />}>
          {(found) => (
            <ScheduleTable schedules={found} openId={id} onOpen={open} mayManage={mayManage} />
          )}
        </ListView>
      </Panel>
      {id !== undefined && (
        <ScheduleDrawer
          id={id}
          mayManage={mayManage}
          onEdit={setEdited}
          onClose={() => open(undefined)}
        />
      )}
      {subject !== undefined && (
        <Suspense>
          <ScheduleEditor
            schedule={subject === 'new' ? undefined : subject}
            tool={tool}
            onClose={leaveEditor}
          />
        </Suspense>
      )}
    </Page>
  )
}

function NothingScheduled({ action }: { action: ReactNode }) {
  return (
    <Empty
      title="No schedules yet"
      icon={<IconCalendarTime size={24} stroke={1.5} aria-hidden="true" />}
      actions={action}
    >
      A schedule runs a tool at set times, such as every weekday at nine. Each run is recorded as a
      call.
    </Empty>
  )
}

function useSchedules() {
  const refetchInterval = usePollMs()
  return useInfiniteQuery({
    queryKey: ['schedules', 'list'],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/schedules', {
          params: { query: { limit: 50, ...(pageParam !== '' && { after: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval,
  })
}
