import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Api } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { toStarters } from './starters.ts'
import { useOffer } from './use-agents.ts'
import styles from './chat.module.css'

interface WelcomeProps {
  agent: string
  model: string
  trouble: Api<'CallError'> | undefined
}

/** Nothing was said yet: something to begin with, or why nothing can be. */
export function Welcome({ agent, model, trouble }: WelcomeProps) {
  const { data } = useOffer(agent)
  const navigate = useNavigate()
  if (trouble !== undefined) return <NoModel trouble={trouble} agent={agent} />
  const starters = data === undefined ? [] : toStarters(data.items, model)
  return (
    <div className={styles.welcome}>
      <div>
        <h2>What should {agent} do?</h2>
        <p>If it needs approval for something, you are asked here. Approvals has it too.</p>
      </div>
      <div className={styles.starters}>
        {starters.map(({ title, label, say }) => (
          <button
            key={say}
            type="button"
            className={styles.starter}
            onClick={() =>
              void navigate({
                to: '/chat/{-$agent}/{-$conversation}',
                params: { agent, conversation: undefined },
                search: { say },
              })
            }
          >
            <strong dir="auto">{title}</strong>
            <small dir="auto">{label}</small>
          </button>
        ))}
      </div>
    </div>
  )
}

/** The agent can't answer: what is missing, and who can set it. */
export function NoModel({ trouble, agent }: { trouble: Api<'CallError'>; agent: string }) {
  const secret = secretIn(trouble.fix)
  const maySecrets = useCan('secrets.write')
  const mayAgents = useCan('agents.manage')
  return (
    <div className={styles.problem} role="alert">
      <strong>{trouble.message}</strong>
      {trouble.fix !== undefined && <p>{trouble.fix}</p>}
      {!maySecrets && !mayAgents && <p>Somebody who manages this crib can set it up.</p>}
      <div className={styles.problemActions}>
        {secret !== undefined && maySecrets && (
          <Button
            size="compact-sm"
            renderRoot={(props) => <Link to="/secrets" search={{ add: secret }} {...props} />}
          >
            Add secret {secret}
          </Button>
        )}
        {mayAgents && (
          <Button
            size="compact-sm"
            variant="default"
            renderRoot={(props) => <Link to="/agents/$slug" params={{ slug: agent }} {...props} />}
          >
            Choose another model
          </Button>
        )}
      </div>
    </div>
  )
}

/** `Run: toolcrib secrets set openai_api_key` names the secret that is missing. */
export function secretIn(fix: string | undefined): string | undefined {
  return /secrets set ([\w.-]+)/.exec(fix ?? '')?.[1]
}
