import { Button, SegmentedControl } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { IconChartBar } from '@tabler/icons-react'
import { useState } from 'react'
import { useCan } from '../../api/me.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Loading, LoadingCards } from '../../ui/loading.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Empty, NotAllowed } from '../../ui/states.tsx'
import { DayPanel } from './day-panel.tsx'
import { LimitsPanel } from './limits-panel.tsx'
import { groups, RankingPanel } from './ranking-panel.tsx'
import { UsageTiles } from './usage-tiles.tsx'
import { firstDay, fromFirstCall, measures, sumOf, withAllDays } from './usage-figures.ts'
import { useUsage } from './use-usage.ts'
import styles from './usage.module.css'

const ranges = ['7', '30', '90', '365'] as const

/** Usage by day and by caller, and the limits. */
export function UsageScreen() {
  const mayRead = useCan('usage.read')
  const mayLimit = useCan('limits.manage')
  const search = useSearch({ from: '/usage' })
  const navigate = useNavigate({ from: '/usage' })
  const days = ranges.find((one) => one === search.days) ?? '30'
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...next }, replace: true })
  return (
    <Page
      title="Usage"
      description="Settled calls, their duration and cost. Days are in UTC."
      actions={
        mayRead && (
          <SegmentedControl
            aria-label="Period"
            value={days}
            onChange={(value) => change({ days: value })}
            data={ranges.map((value) => ({
              value,
              label: value === '365' ? '1 year' : `${value} days`,
            }))}
          />
        )
      }
    >
      <div className={styles.page}>
        {mayRead ? (
          <Figures days={Number(days)} search={search} onChange={change} />
        ) : (
          <NotAllowed>You need the permission usage.read to see usage.</NotAllowed>
        )}
        {(mayRead || mayLimit) && <LimitsPanel mayManage={mayLimit} />}
      </div>
    </Page>
  )
}

interface UsageSearch {
  by?: string
  show?: string
  view?: string
}

interface FiguresProps {
  days: number
  search: UsageSearch
  onChange: (next: UsageSearch) => void
}

function Figures({ days, search, onChange }: FiguresProps) {
  const [openedAt] = useState(() => Date.now())
  const from = firstDay(days, openedAt)
  const query = useUsage(from, true)
  const measure = measures.find((one) => one === search.show) ?? 'calls'
  return (
    <QueryView query={query} loading={<LoadingFigures />}>
      {(usage) => {
        const sum = sumOf(usage.items)
        if (sum.calls === 0 && sum.cost === 0) return <NothingUsed days={days} />
        return (
          <>
            <UsageTiles sum={sum} measure={measure} onMeasure={(show) => onChange({ show })} />
            <DayPanel
              days={fromFirstCall(withAllDays(usage.items, usage.from, usage.to))}
              measure={measure}
              onMeasure={(show) => onChange({ show })}
              isTable={search.view === 'table'}
              onTable={(isTable) => onChange({ view: isTable ? 'table' : '' })}
            />
            <RankingPanel
              from={from}
              days={days}
              by={groups.find((one) => one === search.by) ?? 'tool'}
              onBy={(by) => onChange({ by })}
              measure={measure}
            />
          </>
        )
      }}
    </QueryView>
  )
}

function LoadingFigures() {
  return (
    <>
      <LoadingCards cards={measures.length} height={86} className={styles.tiles} />
      <Panel>
        <Skeleton height={276} />
      </Panel>
      <Panel>
        <Loading rows={4} height={48} />
      </Panel>
    </>
  )
}

function NothingUsed({ days }: { days: number }) {
  const mayCall = useCan('tools.call')
  return (
    <Empty
      title={`No settled calls in the last ${days} days`}
      icon={<IconChartBar size={24} stroke={1.5} aria-hidden="true" />}
      actions={
        mayCall && (
          <Button component={Link} to="/tools">
            Run a tool
          </Button>
        )
      }
    >
      Figures appear about a second after the first call.
    </Empty>
  )
}
