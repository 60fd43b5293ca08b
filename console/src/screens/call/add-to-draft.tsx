import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { IconFlask, IconQuote } from '@tabler/icons-react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { notifyFailure, notifySuccess } from '../../ui/notify.ts'

type Kind = 'test' | 'example'

/** Adds a call to the draft of its authored tool, as a test or an example, and opens the draft. */
export function AddToDraft({ call }: { call: Api<'CallRecord'> }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (kind: Kind) => addToDraft(call, kind),
    onSuccess: async (missing, kind) => {
      const hint = missing.length === 0 ? '' : ` Fill in ${missing.join(', ')}: it was hidden.`
      notifySuccess(`Added to the ${kind}s of your draft.${hint}`)
      await queryClient.invalidateQueries({ queryKey: ['studio'] })
      await navigate({ to: '/studio/$name', params: { name: call.tool } })
    },
    onError: notifyFailure,
  })
  return (
    <>
      <Button
        variant="default"
        loading={isPending && variables === 'test'}
        leftSection={<IconFlask size={16} stroke={1.6} aria-hidden="true" />}
        onClick={() => mutate('test')}
      >
        Add as test
      </Button>
      <Button
        variant="default"
        loading={isPending && variables === 'example'}
        leftSection={<IconQuote size={16} stroke={1.6} aria-hidden="true" />}
        onClick={() => mutate('example')}
      >
        Add as example
      </Button>
    </>
  )
}

/** Returns the places whose values are hidden. A draft that somebody else has changed since then is refused. */
async function addToDraft(call: Api<'CallRecord'>, kind: Kind): Promise<readonly string[]> {
  const name = call.tool
  const [{ test, missing }, source] = await Promise.all([
    read(api.GET('/api/v1/calls/{id}/test', { params: { path: { id: call.callId } } })),
    read(api.GET('/api/v1/tools/{name}/source', { params: { path: { name } } })),
  ])
  const { draft, version } = source
  const document = (draft?.document ?? source.document) as Record<string, unknown>
  const key = `${kind}s`
  const known = (Array.isArray(document[key]) ? document[key] : []) as { label?: string }[]
  const { input } = test
  const label = freeLabel(
    test.label,
    known.map((one) => one.label),
  )
  const added = kind === 'test' ? { ...test, label } : { label, input }
  const from = draft?.from ?? version?.hash
  await read(
    api.PUT('/api/v1/tools/{name}/draft', {
      params: { path: { name } },
      body: {
        document: { ...document, [key]: [...known, added] } as never,
        revision: draft?.revision ?? 0,
        ...(from !== undefined && { from }),
      },
    }),
  )
  return missing
}

/** Labels tell tests apart. */
function freeLabel(wanted: string, taken: readonly (string | undefined)[]): string {
  let label = wanted
  for (let count = 2; taken.includes(label); count += 1) label = `${wanted} (${count})`
  return label
}
