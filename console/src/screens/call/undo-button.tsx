import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { confirm, notifyFailure } from '../../ui/notify.ts'
import { formatDuration, useNow } from '../../ui/time.tsx'

interface UndoProps {
  call: Api<'CallRecord'>
  tool: Api<'ToolDetail'> | undefined
}

const kind = 'call-undo'

/** Undoes a completed call while that is possible; later, a link to the call that did. */
export function UndoButton({ call, tool }: UndoProps) {
  const { callId } = call
  const mayBePossible = call.status === 'completed' && tool?.undo !== undefined
  const { data: state } = useQuery({
    queryKey: [kind, callId],
    queryFn: () => read(api.GET('/api/v1/calls/{id}/undo', { params: { path: { id: callId } } })),
    enabled: mayBePossible && call.undoes === undefined,
  })
  if (state?.undoneBy !== undefined) return <UndoneBy id={state.undoneBy} />
  if (state?.isPossible !== true) return null
  return <Undo call={call} title={tool?.title ?? call.tool} until={state.until} />
}

function UndoneBy({ id }: { id: string }) {
  return (
    <Button
      component={Link}
      to="/calls/$id"
      params={{ id } as never}
      variant="default"
      leftSection={<IconArrowBackUp size={16} stroke={1.6} />}
    >
      Show the undo
    </Button>
  )
}

function Undo({
  call,
  title,
  until,
}: {
  call: Api<'CallRecord'>
  title: string
  until: string | undefined
}) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const now = useNow()
  const leftMs = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until) - now
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      read(
        api.POST('/api/v1/calls/{id}/undo', {
          params: { path: { id: call.callId }, header: { Prefer: 'respond-async' } },
        }),
      ),
    onSuccess: ({ callId }) => void navigate({ to: '/calls/$id', params: { id: callId } }),
    onError: notifyFailure,
    onSettled: () => void queryClient.invalidateQueries({ queryKey: [kind, call.callId] }),
  })
  if (leftMs <= 0) return null
  const ask = async () => {
    const isSure = await confirm({
      title: `Undo ${title}?`,
      message: 'A new call takes back what this one has done. That call cannot be undone.',
      confirmLabel: 'Undo',
    })
    if (isSure) mutate()
  }
  return (
    <Button
      variant="default"
      loading={isPending}
      leftSection={<IconArrowBackUp size={16} stroke={1.6} />}
      onClick={() => void ask()}
    >
      Undo{until !== undefined && ` (${formatDuration(toShown(leftMs))} left)`}
    </Button>
  )
}

/** In whole minutes while there are many, so that the button does not change its width every second. */
function toShown(ms: number): number {
  return ms > 120_000 ? Math.ceil(ms / 60_000) * 60_000 : Math.ceil(ms / 1000) * 1000
}
