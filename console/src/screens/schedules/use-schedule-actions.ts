import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { confirm, notifySuccess, notifyFailure } from '../../ui/notify.ts'

export type Schedule = Api<'Schedule'>

/** The actions on a schedule, other than editing it. */
export function useScheduleActions({ id, name }: Pick<Schedule, 'id' | 'name'>) {
  const queryClient = useQueryClient()
  const onSettled = () => queryClient.invalidateQueries({ queryKey: ['schedules'] })
  const params = { path: { id } }
  const run = useMutation({
    mutationFn: () => read(api.POST('/api/v1/schedules/{id}/run', { params })),
    onSuccess: () => notifySuccess(`${name} started`),
    onError: notifyFailure,
    onSettled,
  })
  const pause = useMutation({
    mutationFn: (paused: boolean) =>
      read(api.PATCH('/api/v1/schedules/{id}', { params, body: { paused } })),
    onSuccess: ({ state }) =>
      notifySuccess(state === 'paused' ? `${name} paused` : `${name} resumed`),
    onError: notifyFailure,
    onSettled,
  })
  const remove = async (): Promise<boolean> => {
    const isSure = await confirm({
      title: `Delete ${name}?`,
      message: 'It will not run again, and its history is deleted. Its calls are kept.',
      confirmLabel: 'Delete',
      isDangerous: true,
    })
    if (!isSure) return false
    try {
      await read(api.DELETE('/api/v1/schedules/{id}', { params }))
      notifySuccess(`${name} deleted`)
      return true
    } catch (error) {
      notifyFailure(error)
      return false
    } finally {
      await queryClient.invalidateQueries({ queryKey: ['schedules', 'list'] })
    }
  }
  return { run, pause, remove }
}
