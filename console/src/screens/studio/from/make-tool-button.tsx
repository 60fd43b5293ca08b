import { ActionIcon, Button, Tooltip } from '@mantine/core'
import type { ButtonProps } from '@mantine/core'
import { IconTool } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { api, read } from '../../../api/client.ts'
import { useCan } from '../../../api/me.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { notifyFailure } from '../../../ui/notify.ts'
import type { DraftConstant, MadeDraft } from './draft-dialog.tsx'

const DraftDialog = lazyPart(async () => (await import('./draft-dialog.tsx')).DraftDialog)

/** Calls on record. */
export type RecordSource = { call: string } | { run: string } | { conversation: string }

interface MakeToolButtonProps extends ButtonProps {
  source: RecordSource
  /** Only its icon, where there is little room. */
  isIcon?: boolean
}

/** Turns calls on record into a draft of a tool with the same steps. */
export function MakeToolButton({ source, isIcon = false, ...props }: MakeToolButtonProps) {
  const mayAuthor = useCan('tools.author')
  const [made, setMade] = useState<MadeDraft>()
  const { mutate, isPending } = useMutation({
    mutationFn: () => draft(source, []),
    onSuccess: setMade,
    onError: notifyFailure,
  })
  if (!mayAuthor) return null
  return (
    <>
      {isIcon ? (
        <Tooltip label={label}>
          <ActionIcon
            variant="default"
            aria-label={label}
            loading={isPending}
            onClick={() => mutate()}
          >
            <IconTool size={16} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      ) : (
        <Button
          variant="default"
          loading={isPending}
          leftSection={<IconTool size={15} stroke={1.6} aria-hidden="true" />}
          {...props}
          onClick={() => mutate()}
        >
          {label}
        </Button>
      )}
      {made !== undefined && (
        <Suspense fallback={null}>
          <DraftDialog
            made={made}
            remake={(inputs) => draft(source, inputs)}
            onClose={() => setMade(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

const label = 'Make a tool of this'

function draft(source: RecordSource, inputs: readonly DraftConstant[]): Promise<MadeDraft> {
  const marked = inputs.map(({ step, path }) => ({ step, path }))
  return read(
    api.POST('/api/v1/tools/from', {
      body: { ...source, ...(marked.length > 0 && { inputs: marked }) },
    }),
  )
}
