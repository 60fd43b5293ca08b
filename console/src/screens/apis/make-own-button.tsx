import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api as http, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { notifyFailure } from '../../ui/notify.ts'
import { DraftDialog } from '../studio/from/draft-dialog.tsx'
import type { MadeDraft } from '../studio/from/draft-dialog.tsx'
import type { ApiTool } from './api-queries.ts'

/** Turns an operation into a draft of an HTTP tool, which can be changed freely. */
export function MakeOwnButton({ api, tool }: { api: string; tool: ApiTool }) {
  const mayAuthor = useCan('tools.author')
  const [made, setMade] = useState<MadeDraft>()
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      read(
        http.POST('/api/v1/apis/{name}/tools/{tool}/document', {
          params: { path: { name: api, tool: tool.name } },
        }),
      ),
    onSuccess: setMade,
    onError: notifyFailure,
  })
  if (!mayAuthor) return null
  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        aria-label={`Make my own of ${tool.name}`}
        loading={isPending}
        onClick={() => mutate()}
      >
        Make my own
      </Button>
      {made !== undefined && <DraftDialog made={made} onClose={() => setMade(undefined)} />}
    </>
  )
}
