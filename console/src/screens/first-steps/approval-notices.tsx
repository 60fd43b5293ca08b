import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useRouter } from '@tanstack/react-router'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import type { LiveEvent } from '../../live/live-events.ts'
import { useLiveEvents } from '../../live/use-live.ts'

/** More at once would bury the screen; the inbox has all of them. */
const mostAtOnce = 3
const shown = new Map<string, string>()

/** Wherever somebody is in the console: a call that waits for them slides in, and goes when it is decided. */
export function ApprovalNotices() {
  const mayDecide = useCan('approvals.decide')
  const router = useRouter()
  useLiveEvents((event) => {
    const { type, callId } = event
    if (!mayDecide || callId === undefined) return
    const isOver = /^approval\.(?:granted|rejected|expired)$|^call\.(?:cancelled|denied)$/.test(
      type,
    )
    if (isOver) return hide(callId)
    if (type !== 'approval.requested' || isDecidedThere(router.state.location.pathname)) return
    void show(event, (id) => {
      hide(callId)
      void router.navigate({ to: '/approvals', search: { id } })
    })
  })
  return null
}

/** The inbox and a conversation show what waits by themselves. */
function isDecidedThere(path: string): boolean {
  return path.startsWith('/approvals') || path.startsWith('/chat')
}

async function show(event: LiveEvent, review: (id: string) => void): Promise<void> {
  const { callId = '' } = event
  const { approvalId } = (event['data'] ?? {}) as { approvalId?: string }
  if (approvalId === undefined || shown.size >= mostAtOnce) return
  shown.set(callId, approvalId)
  const path = { id: approvalId }
  const approval = await read(api.GET('/api/v1/approvals/{id}', { params: { path } })).catch(
    () => undefined,
  )
  // It may have been decided meanwhile, or not be for whoever looks.
  if (approval?.status !== 'pending' || !shown.has(callId)) return void shown.delete(callId)
  notifications.show({
    id: approvalId,
    title: `${approval.tool} waits for you`,
    message: <Request approval={approval} review={() => review(approvalId)} />,
    autoClose: false,
    withBorder: true,
    onClose: () => shown.delete(callId),
    closeButtonProps: { 'aria-label': 'Later' },
  })
}

function hide(callId: string): void {
  const id = shown.get(callId)
  shown.delete(callId)
  if (id !== undefined) notifications.hide(id)
}

function Request({ approval, review }: { approval: Api<'Approval'>; review: () => void }) {
  const { requestedBy, reasons } = approval
  return (
    <>
      <Text size="sm">
        {requestedBy.agent === undefined
          ? 'Somebody wants to run it.'
          : `Agent ${requestedBy.agent} wants to run it.`}
      </Text>
      {reasons[0] !== undefined && (
        <Text size="xs" c="dimmed" dir="auto">
          Asked because: {reasons[0]}
        </Text>
      )}
      <Group mt={8}>
        <Button size="xs" onClick={review}>
          Review
        </Button>
      </Group>
    </>
  )
}
