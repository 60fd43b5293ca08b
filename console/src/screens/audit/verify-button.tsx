import { Button, Modal, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconShieldCheck } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { CopyText } from '../../ui/copy.tsx'
import { Failed } from '../../ui/states.tsx'
import { verifyChain } from './verify-chain.ts'
import type { ChainResult } from './chain-result.ts'
import { formatNumber } from '../../ui/format/locale.ts'
import styles from './audit.module.css'

/** Verifies that the log was not changed. */
export function VerifyButton() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconShieldCheck size={16} stroke={1.6} />}
        onClick={() => setOpen(true)}
      >
        Verify
      </Button>
      <Modal opened={isOpen} onClose={() => setOpen(false)} title="Verify the log">
        {isOpen && <Verify />}
      </Modal>
    </>
  )
}

function Verify() {
  const [anchor, setAnchor] = useState('')
  const [result, setResult] = useState<ChainResult>()
  const isStopped = useRef(false)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      verifyChain({
        anchor: anchor.trim(),
        onProgress: setResult,
        isStopped: () => isStopped.current,
      }),
    onMutate: () => setResult(undefined),
  })
  return (
    <Stack gap="sm">
      <p className={styles.explain}>
        Every event is sealed with a digest over all events before it. Changing, removing or adding
        one breaks the chain.
      </p>
      <TextInput
        label="Saved checkpoint (optional)"
        description="Proves that the whole chain was not rebuilt."
        placeholder="19:3ed075…"
        value={anchor}
        onChange={(event) => setAnchor(event.currentTarget.value)}
      />
      <Button loading={isPending} onClick={() => mutate()}>
        Verify log
      </Button>
      {error !== null && <Failed error={error} />}
      <output>{result !== undefined && <Result result={result} />}</output>
    </Stack>
  )
}

function Result({ result }: { result: ChainResult }) {
  const { events, segments, problems, unsealed, to, removed, isDone } = result
  const checked = `${formatNumber(events)} events in ${formatNumber(segments)} segments`
  if (problems.length > 0) {
    return (
      <div className={styles.verdict} data-verdict="bad">
        <b>{problems.length === 1 ? '1 problem found' : `${problems.length} problems found`}</b>
        <ul>
          {problems.slice(0, 50).map(({ kind, segment, message, afterEvent }) => (
            <li key={`${kind}${segment}${afterEvent ?? ''}`}>
              Segment {segment}: {message}
            </li>
          ))}
        </ul>
        <p>{checked} checked.</p>
      </div>
    )
  }
  if (!isDone) return <p className={styles.explain}>{checked} checked so far…</p>
  return (
    <div className={styles.verdict} data-verdict="good">
      <b>Log verified</b>
      <p>
        {checked}.{unsealed > 0 && ` ${unsealed} of the last second are not sealed yet.`}
      </p>
      {removed !== undefined && (
        <p>{formatNumber(removed.records)} older ones were removed by retention, with proof.</p>
      )}
      {to !== undefined && (
        <p>
          Save this checkpoint and use it to verify next time:{' '}
          <CopyText
            text={`${to.segment}:${to.digest}`}
            label={`${to.segment}:${to.digest.slice(0, 16)}…`}
          />
        </p>
      )}
    </div>
  )
}
