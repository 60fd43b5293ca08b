import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Api } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { toStarters } from './starters.ts'
import { useOffer } from './use-agents.ts'
import styles from './chat.module.css'

interface WelcomeProps {
  agent: string
  name: string
  model: string
  trouble: Api<'CallError'> | undefined
}

/** An empty conversation: suggestions, or why the agent can't answer. */
export function Welcome({ agent, name, model, trouble }: WelcomeProps) {
  const { data } = useOffer(agent)
  const navigate = useNavigate()
  if (trouble !== undefined) return <NoModel trouble={trouble} agent={agent} />
  const starters = data === undefined ? [] : toStarters(data.items, model)
  return (
    <div className={styles.welcome}>
      <div>
        <h2 dir="auto">What should {name} do?</h2>
        <p>Actions that need approval wait here and in Approvals.</p>
      </div>
      <div className={styles.starters}>
        {starters.map(({ title, label, prompt }) => (
          <button
            key={prompt}
            type="button"
            className={styles.starter}
            onClick={() =>
              void navigate({
                to: '/chat/{-$agent}/{-$conversation}',
                params: { agent, conversation: undefined },
                search: { prompt },
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

/** The agent can't answer: what is missing, and who can fix it. */
export function NoModel({ trouble, agent }: { trouble: Api<'CallError'>; agent: string }) {
  const secret = secretIn(trouble.fix)
  const maySecrets = useCan('secrets.write')
  const mayAgents = useCan('agents.manage')
  return (
    <div className={styles.problem} role="alert">
      <strong>{trouble.message}</strong>
      {trouble.fix !== undefined && <p>{trouble.fix}</p>}
      {!maySecrets && !mayAgents && <p>An administrator can set it up.</p>}
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

/** Finds the missing secret in a fix such as `Run: toolcrib secrets set openai_api_key`. */
export function secretIn(fix: string | undefined): string | undefined {
  return /secrets set ([\w.-]+)/.exec(fix ?? '')?.[1]
}
