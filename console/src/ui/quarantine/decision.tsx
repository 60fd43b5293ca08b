import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useCan } from '../../api/me.ts'
import styles from './quarantine.module.css'

type Verdict = 'accept' | 'reject'

interface DecisionProps {
  /** The mutation that decides. */
  decide: { isPending: boolean; variables: Verdict | undefined; mutate(verdict: Verdict): void }
  /** Accepting takes a confirmation first, and rejecting is the prominent choice. */
  isSuspicious?: boolean
}

/** Buttons that accept or reject what is in quarantine. */
export function Decision({ decide, isSuspicious = false }: DecisionProps) {
  const mayDecide = useCan('tools.approve')
  const [isTicked, setTicked] = useState(false)
  if (!mayDecide) return <p>Someone with the permission tools.approve decides.</p>
  const isUnderWay = (verdict: Verdict) => decide.isPending && decide.variables === verdict
  return (
    <div className={styles.decide}>
      <Button
        variant={isSuspicious ? 'filled' : 'default'}
        loading={isUnderWay('reject')}
        onClick={() => decide.mutate('reject')}
      >
        Reject
      </Button>
      <Button
        variant={isSuspicious ? 'default' : 'filled'}
        disabled={isSuspicious && !isTicked}
        loading={isUnderWay('accept')}
        onClick={() => decide.mutate('accept')}
      >
        {isSuspicious ? 'Accept anyway' : 'Accept'}
      </Button>
      {isSuspicious && (
        <Checkbox
          label="I have read the text and trust it"
          checked={isTicked}
          onChange={(event) => setTicked(event.currentTarget.checked)}
        />
      )}
    </div>
  )
}
