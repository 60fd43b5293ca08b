import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconHourglass, IconShieldQuestion } from '@tabler/icons-react'
import { Panel } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import type { RunState } from './run-state.ts'

/** The call waits for somebody; it goes on by itself. */
export function Waiting({ run }: { run: RunState }) {
  if (run.waitingFor === 'external' || run.waitingFor === 'call') {
    return (
      <Panel>
        <Empty
          title={
            run.waitingFor === 'external' ? 'Waiting for work outside' : 'Waiting for another call'
          }
          icon={<IconHourglass size={24} stroke={1.5} aria-hidden="true" />}
        >
          It continues by itself. You can leave this page; the call is recorded.
        </Empty>
      </Panel>
    )
  }
  return (
    <Panel>
      <Empty
        title="Waiting for approval"
        icon={<IconShieldQuestion size={24} stroke={1.5} aria-hidden="true" />}
        actions={
          <Button
            variant="default"
            renderRoot={(props) => (
              <Link
                to="/approvals"
                search={run.approvalId === undefined ? {} : { id: run.approvalId }}
                {...props}
              />
            )}
          >
            Review the request
          </Button>
        }
      >
        Someone has to approve it first. It continues by itself after the decision.
      </Empty>
    </Panel>
  )
}
