import { Button, Group, Modal, SegmentedControl, Stack } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import type { Api } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Caution } from '../../ui/dialog/caution.tsx'
import { notifyFailure } from '../../ui/notify.ts'
import { AddToDraft } from './add-to-draft.tsx'
import { isSettled } from './use-call.ts'
import styles from './call.module.css'

type Recorded = Api<'RecordedTest'>

interface ToTestButtonProps {
  call: Api<'CallRecord'>
  /** Undefined if the tool was removed. */
  tool: Api<'ToolDetail'> | undefined
}

/** Turns a settled call into a test or an example for the definition of its tool. */
export function ToTestButton({ call, tool }: ToTestButtonProps) {
  const mayAuthor = useCan('tools.author')
  const isAuthored = mayAuthor && tool?.source === 'authored'
  const [made, setMade] = useState<Recorded>()
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      read(api.GET('/api/v1/calls/{id}/test', { params: { path: { id: call.callId } } })),
    onSuccess: setMade,
    onError: notifyFailure,
  })
  if (!isSettled(call.status) || call.purpose !== undefined) return null
  if (isAuthored) return <AddToDraft call={call} />
  return (
    <>
      <Button
        variant="default"
        loading={isPending}
        leftSection={<IconFlask size={16} stroke={1.6} />}
        onClick={() => mutate()}
      >
        Use as test
      </Button>
      {made !== undefined && <Made made={made} onClose={() => setMade(undefined)} />}
    </>
  )
}

function Made({ made, onClose }: { made: Recorded; onClose: () => void }) {
  const [as, setAs] = useState<'test' | 'example'>('test')
  const { label, input } = made.test
  const text = JSON.stringify(as === 'test' ? made.test : { label, input }, null, 2)
  return (
    <Modal opened onClose={onClose} title={`Use as ${as} of ${made.tool}`} size="lg">
      <Stack gap="sm">
        <Group justify="space-between">
          <SegmentedControl
            aria-label="Kind"
            value={as}
            onChange={(value) => setAs(value === 'test' ? 'test' : 'example')}
            data={[
              { value: 'test', label: 'Test' },
              { value: 'example', label: 'Example' },
            ]}
          />
          <CopyButton text={text} label="Copy" />
        </Group>
        {made.missing.length > 0 && (
          <Caution tone="ask" title="Secrets are left out">
            {`Fill in ${made.missing.join(', ')}.`}
          </Caution>
        )}
        <pre className={styles.made} tabIndex={0} aria-label={`The ${as}`}>
          {text}
        </pre>
        <span className={styles.madeHint}>
          {`Add it to ${as}s in the definition of the tool. toolcrib test runs all tests.`}
        </span>
      </Stack>
    </Modal>
  )
}
