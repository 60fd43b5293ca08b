import { Button, NumberInput, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { nameRuleAuthor, useNames } from '../../../api/use-names.ts'
import { toSafeLine } from '../../../output/values/safe-text.ts'
import { AgentSelect } from '../../../ui/agent-select.tsx'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { explainHostQuery } from './network-queries.ts'
import type { HostQuestion } from './network-queries.ts'
import type { HostVerdict } from './network-types.ts'
import { describeLevel } from './rule-words.ts'
import { VerdictTag } from './rule-review.tsx'
import { PackSelect } from './pack-select.tsx'
import styles from './network.module.css'

/** Checks whether a host can be reached, and shows the rule that decides. */
export function ExplainHost() {
  const [host, setHost] = useState('')
  const [port, setPort] = useState<number | string>(443)
  const [agent, setAgent] = useState('')
  const [pack, setPack] = useState('')
  const [asked, setAsked] = useState<HostQuestion>()
  const isReady = host.trim() !== '' && typeof port === 'number'
  const ask = (event: FormEvent) => {
    event.preventDefault()
    if (!isReady) return
    setAsked({
      host: host.trim(),
      port,
      ...(agent !== '' && { agent }),
      ...(pack !== '' && { pack }),
    })
  }
  return (
    <Panel title="Who may reach this host?">
      <form className={styles.ask} onSubmit={ask}>
        <TextInput
          label="Host"
          placeholder="api.example.com"
          value={host}
          onChange={({ currentTarget }) => setHost(currentTarget.value)}
        />
        <NumberInput
          label="Port"
          value={port}
          onChange={setPort}
          min={1}
          max={65_535}
          hideControls
          thousandSeparator=""
        />
        <AgentSelect label="For" description="" none="Everyone" agent={agent} onChange={setAgent} />
        <PackSelect pack={pack} onChange={setPack} />
        <Button type="submit" variant="default" disabled={!isReady}>
          Check
        </Button>
      </form>
      <div aria-live="polite">{asked !== undefined && <Verdict question={asked} />}</div>
    </Panel>
  )
}

function Verdict({ question }: { question: HostQuestion }) {
  const query = useQuery(explainHostQuery(question))
  return (
    <QueryView query={query} loading={null}>
      {(found) => (
        <>
          <p className={styles.verdict}>
            <VerdictTag verdict={found.verdict} />
            <code>{`${toSafeLine(found.host)}:${found.port}`}</code>
            <Reason of={found} />
          </p>
          <ul className={styles.changes} aria-label="What each level says">
            {found.levels.map((one) => (
              <li key={one.level}>
                <span>{describeLevel(one.level)}</span>
                <VerdictTag verdict={one.verdict} />
                <Reason of={one} />
              </li>
            ))}
          </ul>
        </>
      )}
    </QueryView>
  )
}

function Reason({ of: { rule, setBy, id } }: { of: HostVerdict }) {
  const describeName = useNames()
  return (
    <span className={styles.dim}>
      {id === undefined ? '' : 'by '}
      <code>{toSafeLine(id === undefined ? rule : `${id}: ${rule}`)}</code>
      {setBy !== '' && `, set by ${nameRuleAuthor(setBy, describeName)}`}
    </span>
  )
}
