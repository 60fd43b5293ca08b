import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useRouter } from '@tanstack/react-router'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { useCan, useMe } from '../../api/me.ts'
import { useLiveEvents } from '../../live/use-live.ts'

/** More at once would cover the screen; the inbox has all of them. */
const mostAtOnce = 3
const shown = new Map<string, string>()

/** On any screen, shows a notification for each call that needs approval until it is decided. */
export function ApprovalNotices() {
  const mayDecide = useCan('approvals.decide')
  const router = useRouter()
  useLiveEvents(({ type, callId }) => {
    if (!mayDecide || callId === undefined) return
    const isOver = /^approval\.(?:granted|rejected|expired)$|^call\.(?:cancelled|denied)$/.test(
      type,
    )
    if (isOver) return hide(callId)
    if (type !== 'approval.requested' || isDecidedThere(router.state.location.pathname)) return
    void show(callId, (id) => {
      hide(callId)
      void router.navigate({ to: '/approvals', search: { id } })
    })
  })
  return null
}

/** The inbox and conversations show pending approvals themselves. */
function isDecidedThere(path: string): boolean {
  return path.startsWith('/approvals') || path.startsWith('/chat')
}

async function show(callId: string, review: (id: string) => void): Promise<void> {
  if (shown.size >= mostAtOnce) return
  shown.set(callId, '')
  const approval = await findRequest(callId).catch(() => undefined)
  // It may have been decided in the meantime, or be invisible to this person.
  if (approval === undefined || !shown.has(callId)) return void shown.delete(callId)
  const { id } = approval
  shown.set(callId, id)
  notifications.show({
    id,
    title: `Approval needed: ${approval.tool}`,
    message: <Request approval={approval} review={() => review(id)} />,
    autoClose: false,
    withBorder: true,
    onClose: () => shown.delete(callId),
    closeButtonProps: { 'aria-label': 'Later' },
  })
}

async function findRequest(callId: string): Promise<Api<'Approval'> | undefined> {
  const query = { status: 'pending', limit: 50 } as const
  const { items } = await read(api.GET('/api/v1/approvals', { params: { query } }))
  return items.find((approval) => approval.callId === callId)
}

function hide(callId: string): void {
  const id = shown.get(callId)
  shown.delete(callId)
  if (id) notifications.hide(id)
}

function describeAsker({ agent, principal }: Api<'Approval'>['requestedBy'], me: string): string {
  if (agent !== undefined) return `Agent ${agent} wants to run this tool.`
  return principal.id === me ? 'You requested this call.' : 'Someone requested this call.'
}

function Request({ approval, review }: { approval: Api<'Approval'>; review: () => void }) {
  const { requestedBy, reasons } = approval
  const me = useMe()
  return (
    <>
      <Text size="sm">{describeAsker(requestedBy, me.principal.id)}</Text>
      {reasons[0] !== undefined && (
        <Text size="xs" c="dimmed" dir="auto">
          {reasons[0]}
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
