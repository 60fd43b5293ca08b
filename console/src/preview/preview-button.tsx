import { Button, Modal } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../api/client.ts'
import type { Api } from '../api/client.ts'
import { toProblem } from '../api/problem.ts'
import type { ToolInputState } from '../form/tool-input.tsx'
import { PreviewView } from './preview-view.tsx'
import { Refused } from '../ui/refused.tsx'

interface PreviewButtonProps {
  tool: Api<'ToolDetail'>
  input: ToolInputState
  isDisabled: boolean
}

/** Shows what the call would do with the input of the form. Tools without a preview have no button. */
export function PreviewButton({ tool, input, isDisabled }: PreviewButtonProps) {
  const [isOpen, setOpen] = useState(false)
  const asking = useMutation({
    mutationFn: () =>
      read(
        api.POST('/api/v1/tools/{name}/preview', {
          params: { path: { name: tool.name } },
          body: { input: input.value },
        }),
      ),
    onSettled: () => setOpen(true),
    onError(error) {
      const { issues } = toProblem(error)
      input.setServerIssues(issues)
    },
  })
  if (tool.preview === undefined) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconEye size={16} stroke={1.6} />}
        loading={asking.isPending}
        disabled={isDisabled}
        onClick={() => input.check() && asking.mutate()}
      >
        Preview
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={`Preview: ${tool.title}`}
        size="lg"
      >
        {asking.isError && <Refused error={asking.error} />}
        {asking.data !== undefined && <PreviewView preview={asking.data} />}
      </Modal>
    </>
  )
}
