import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconHourglass, IconShieldQuestion } from '@tabler/icons-react'
import { Panel } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import type { RunState } from './run-state.ts'

/** The call waits for someone or something, and then continues automatically. */
export function Waiting({ run }: { run: RunState }) {
  if (run.waitingFor === 'external' || run.waitingFor === 'call') {
    return (
      <Panel>
        <Empty
          title={
            run.waitingFor === 'external'
              ? 'Waiting for an external worker'
              : 'Waiting for a nested call'
          }
          icon={<IconHourglass size={24} stroke={1.5} aria-hidden="true" />}
        >
          It continues automatically. You can leave this page; the call is recorded.
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
            Review request
          </Button>
        }
      >
        Someone has to approve it first. It then continues automatically.
      </Empty>
    </Panel>
  )
}
