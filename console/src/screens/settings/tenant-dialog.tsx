import { Text, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { notifySuccess } from '../../ui/notify.ts'

type Tenant = Api<'Tenant'>

/** An action on a tenant. */
export type TenantTask =
  | { does: 'create' }
  | { does: 'rename' | 'suspend' | 'resume' | 'delete'; tenant: Tenant }

interface Typed {
  slug: string
  name: string
  reason: string
  confirm: string
}

interface TaskWords {
  title: (name: string) => string
  message?: string
  confirmLabel: string
  done: (name: string) => string
}

const words: Record<TenantTask['does'], TaskWords> = {
  create: {
    title: () => 'New tenant',
    confirmLabel: 'Create tenant',
    done: (name) => `${name} created`,
  },
  rename: { title: (name) => `Rename ${name}`, confirmLabel: 'Save', done: () => 'Tenant renamed' },
  suspend: {
    title: (name) => `Suspend ${name}?`,
    message:
      'While it is suspended, its members can’t sign in or call tools, and its schedules are paused. Queued calls run when you resume it.',
    confirmLabel: 'Suspend',
    done: (name) => `${name} suspended`,
  },
  resume: {
    title: (name) => `Resume ${name}?`,
    message: 'Its members and keys work again, and queued calls run.',
    confirmLabel: 'Resume',
    done: (name) => `${name} resumed`,
  },
  delete: {
    title: (name) => `Delete ${name}?`,
    message:
      'Its members, keys, secrets, agents, schedules, calls and events are deleted. This can’t be undone.',
    confirmLabel: 'Delete permanently',
    done: (name) => `${name} deleted`,
  },
}

/** Asks for the fields of an action and runs it. */
export function TenantDialog({ task, onClose }: { task: TenantTask; onClose: () => void }) {
  const queryClient = useQueryClient()
  const tenant = 'tenant' in task ? task.tenant : undefined
  const [typed, setTyped] = useState<Typed>({
    slug: '',
    name: tenant?.name ?? '',
    reason: '',
    confirm: '',
  })
  const { title, message, confirmLabel, done } = words[task.does]
  const run = useMutation({
    mutationFn: () => perform(task, typed),
    async onSuccess() {
      notifySuccess(done(tenant?.name ?? (typed.name || typed.slug)))
      onClose()
      await queryClient.invalidateQueries({ queryKey: ['tenants'] })
    },
  })
  return (
    <FormDialog
      title={title(tenant?.name ?? '')}
      confirmLabel={confirmLabel}
      isReady={isWhole(task, typed)}
      isDangerous={task.does === 'delete' || task.does === 'suspend'}
      task={run}
      onClose={onClose}
    >
      {message !== undefined && <Text size="sm">{message}</Text>}
      <TaskFields task={task} typed={typed} onChange={setTyped} />
    </FormDialog>
  )
}

interface TaskFieldsProps {
  task: TenantTask
  typed: Typed
  onChange: (typed: Typed) => void
}

function TaskFields({ task, typed, onChange }: TaskFieldsProps) {
  const field = (name: keyof Typed) => ({
    value: typed[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onChange({ ...typed, [name]: value }),
    autoComplete: 'off',
  })
  return (
    <>
      {task.does === 'create' && (
        <TextInput
          label="Slug"
          description="Lowercase letters, digits and dashes. It can’t be changed later."
          required
          data-autofocus
          {...field('slug')}
        />
      )}
      {(task.does === 'create' || task.does === 'rename') && (
        <TextInput label="Name" description="Display name" {...field('name')} />
      )}
      {task.does === 'suspend' && (
        <TextInput
          label="Reason"
          description="Shown to its members."
          data-autofocus
          {...field('reason')}
        />
      )}
      {task.does === 'delete' && (
        <TextInput
          label={`Type ${task.tenant.slug} to delete it`}
          required
          data-autofocus
          {...field('confirm')}
        />
      )}
    </>
  )
}

function isWhole(task: TenantTask, { slug, name, confirm }: Typed): boolean {
  if (task.does === 'create') return slug.trim() !== ''
  if (task.does === 'rename') return name.trim() !== ''
  return task.does !== 'delete' || confirm === task.tenant.slug
}

async function perform(task: TenantTask, { slug, name, reason, confirm }: Typed): Promise<void> {
  if (task.does === 'create') {
    const body = { slug: slug.trim(), ...(name.trim() !== '' && { name: name.trim() }) }
    await read(api.POST('/api/v1/tenants', { body }))
    return
  }
  const path = { slug: task.tenant.slug }
  if (task.does === 'delete') {
    await read(api.DELETE('/api/v1/tenants/{slug}', { params: { path, query: { confirm } } }))
    return
  }
  const body =
    task.does === 'rename'
      ? { name: name.trim() }
      : task.does === 'resume'
        ? { status: 'active' as const }
        : {
            status: 'suspended' as const,
            ...(reason.trim() !== '' && { reason: reason.trim() }),
          }
  await read(api.PATCH('/api/v1/tenants/{slug}', { params: { path }, body }))
}
