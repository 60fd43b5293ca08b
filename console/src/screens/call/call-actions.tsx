import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { IconPlayerStop, IconRefresh, IconRefreshDot } from '@tabler/icons-react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { holds, useMe } from '../../api/me.ts'
import { confirm, notifySuccess, notifyFailure } from '../../ui/notify.ts'
import { MakeToolButton } from '../studio/from/make-tool-button.tsx'
import { ToTestButton } from './to-test-button.tsx'
import { UndoButton } from './undo-button.tsx'
import { isSettled } from './use-call.ts'

interface CallActionsProps {
  call: Api<'CallRecord'>
  /** Undefined if the tool was removed. */
  tool: Api<'ToolDetail'> | undefined
}

/** The actions on a call: cancel it, run it again, or run it again with other input. */
export function CallActions({ call, tool }: CallActionsProps) {
  const me = useMe()
  const isOwn = call.principal.kind === me.principal.kind && call.principal.id === me.principal.id
  const mayCancel = isOwn || holds(me.permissions, 'calls.manage')
  const mayCall = holds(me.permissions, 'tools.call')
  return (
    <>
      {!isSettled(call.status) && mayCancel && <CancelButton callId={call.callId} />}
      {mayCall && mayCancel && <UndoButton call={call} tool={tool} />}
      {mayCall && <RerunButton call={call} tool={tool} />}
      {mayCall && (
        <Button
          component={Link}
          to="/tools/$name"
          params={{ name: call.tool } as never}
          search={{ from: call.callId } as never}
          variant="default"
          leftSection={<IconRefreshDot size={16} stroke={1.6} />}
        >
          Run again with changes
        </Button>
      )}
      <ToTestButton call={call} tool={tool} />
      {isSettled(call.status) && call.purpose === undefined && (
        <MakeToolButton source={{ call: call.callId }} />
      )}
    </>
  )
}

function CancelButton({ callId }: { callId: string }) {
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      read(api.POST('/api/v1/calls/{id}/cancel', { params: { path: { id: callId } } })),
    onSuccess: (call) => {
      queryClient.setQueryData(['one-call', callId], call)
      notifySuccess('Call cancelled')
    },
    onError: notifyFailure,
  })
  return (
    <Button
      variant="default"
      loading={isPending}
      leftSection={<IconPlayerStop size={16} stroke={1.6} />}
      onClick={() => mutate()}
    >
      Cancel
    </Button>
  )
}

function RerunButton({ call, tool }: CallActionsProps) {
  const navigate = useNavigate()
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      read(
        api.POST('/api/v1/calls/{id}/rerun', {
          params: { path: { id: call.callId }, header: { Prefer: 'respond-async' } },
          body: {},
        }),
      ),
    onSuccess: ({ callId }) => void navigate({ to: '/calls/$id', params: { id: callId } }),
    onError: notifyFailure,
  })
  const rerun = async () => {
    // A read changes nothing; the effect of a removed tool is unknown.
    const isSure = tool?.effect === 'read' || (await confirm(questionOf(call, tool)))
    if (isSure) mutate()
  }
  return (
    <Button
      variant="default"
      loading={isPending}
      leftSection={<IconRefresh size={16} stroke={1.6} />}
      onClick={() => void rerun()}
    >
      Run again
    </Button>
  )
}

function questionOf(call: Api<'CallRecord'>, tool: Api<'ToolDetail'> | undefined) {
  const effect = tool?.effect ?? 'write'
  return {
    title: `Run ${tool?.title ?? call.tool} again?`,
    message:
      effect === 'destructive'
        ? 'This tool deletes data. It runs with the same input as before.'
        : 'This tool changes data. It runs with the same input as before.',
    confirmLabel: 'Run again',
    isDangerous: effect === 'destructive',
  }
}
