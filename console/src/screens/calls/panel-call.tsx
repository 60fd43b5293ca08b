import { Button, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconArrowUpRight } from '@tabler/icons-react'
import { useState } from 'react'
import { toProblem } from '../../api/problem.ts'
import { StatusTag } from '../../ui/status-tags.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Empty, Failed } from '../../ui/states.tsx'
import { CallActions } from '../call/call-actions.tsx'
import { HeadLine } from '../call/call-screen.tsx'
import { CallTabs } from '../call/call-tabs.tsx'
import type { CallTab } from '../call/call-tabs.tsx'
import { useCall } from '../call/use-call.ts'
import { useTool } from '../call/use-tool.ts'
import { WaitingCard } from '../call/waiting-card.tsx'
import callStyles from '../call/call.module.css'
import styles from './calls.module.css'

/** A call in the side panel: the same content as the call's own page, smaller. */
export function PanelCall({ callId }: { callId: string }) {
  const { query, call, log } = useCall(callId)
  const tool = useTool(call?.tool ?? '')
  const [tab, setTab] = useState<CallTab>('output')
  if (call === undefined) {
    if (!query.isError) return <Loading />
    if (toProblem(query.error).status !== 404) {
      return <Failed error={query.error} retry={() => void query.refetch()} />
    }
    return (
      <Empty title="Call not found">
        It may have been removed by retention, or belong to someone else.
      </Empty>
    )
  }
  return (
    <div className={callStyles.stack}>
      <div className={styles.panelHead}>
        <Title order={2} dir="auto">
          {tool?.title ?? call.tool}
        </Title>
        <StatusTag status={call.status} />
      </div>
      <p className={styles.panelLine}>
        <HeadLine call={call} />
      </p>
      <div className={styles.panelActions}>
        <Button
          component={Link}
          to="/calls/$id"
          params={{ id: callId } as never}
          variant="default"
          leftSection={<IconArrowUpRight size={16} stroke={1.6} />}
        >
          Open page
        </Button>
        <CallActions call={call} tool={tool} />
      </div>
      <WaitingCard call={call} nested={[]} log={log} />
      <CallTabs call={call} tool={tool} log={log} tab={tab} onTab={setTab} />
    </div>
  )
}
