import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { Panel } from '../../ui/page.tsx'
import { SkillChange } from './skill-change.tsx'
import type { SkillWish } from './skill-change.tsx'
import type { SkillDetail } from './skill-queries.ts'
import styles from './skills.module.css'

/** The agents with a skill and their versions; add it to others, or remove it. */
export function SkillAgents({ skill }: { skill: SkillDetail }) {
  const mayManage = useCan('agents.manage')
  const [wish, setWish] = useState<SkillWish>()
  const { data } = useQuery({
    queryKey: ['agents', 'choices'],
    queryFn: () => read(api.GET('/api/v1/agents', { params: { query: { limit: 500 } } })),
    enabled: mayManage,
  })
  const { name, version, enabledBy } = skill
  const has = new Set(enabledBy.map(({ agent }) => agent))
  const others = (data?.items ?? []).map(({ slug }) => slug).filter((slug) => !has.has(slug))
  return (
    <Panel title="Agents with this skill">
      {enabledBy.length === 0 && <p className={styles.none}>No agent has it yet.</p>}
      <ul className={styles.patterns}>
        {enabledBy.map(({ agent, version: pinned }) => (
          <li key={agent}>
            <span>
              <Link to="/agents/$slug" params={{ slug: agent }} search={{ tab: 'skills' }}>
                {agent}
              </Link>{' '}
              <code>{pinned.slice(0, 12)}</code>
            </span>
            {mayManage && (
              <AgentButtons
                agent={agent}
                onSwitch={
                  pinned === version ? undefined : () => setWish({ agent, skill: name, version })
                }
                onRemove={() => setWish({ agent, skill: name, isTaken: true })}
              />
            )}
          </li>
        ))}
      </ul>
      {mayManage && others.length > 0 && (
        <AddAgent others={others} onAdd={(agent) => setWish({ agent, skill: name, version })} />
      )}
      {wish !== undefined && <SkillChange wish={wish} onClose={() => setWish(undefined)} />}
    </Panel>
  )
}

interface AgentButtonsProps {
  agent: string
  onSwitch: (() => void) | undefined
  onRemove: () => void
}

function AgentButtons({ agent, onSwitch, onRemove }: AgentButtonsProps) {
  return (
    <span className={styles.buttons}>
      {onSwitch !== undefined && (
        <Button size="compact-xs" variant="default" onClick={onSwitch}>
          Switch to this version
        </Button>
      )}
      <Button size="compact-xs" variant="default" aria-label={`Remove ${agent}`} onClick={onRemove}>
        Remove
      </Button>
    </span>
  )
}

interface AddAgentProps {
  others: readonly string[]
  onAdd: (agent: string) => void
}

function AddAgent({ others, onAdd }: AddAgentProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  return (
    <div className={styles.give}>
      <Select
        aria-label="Agent"
        placeholder="Choose an agent"
        searchable
        data={others}
        value={chosen}
        onChange={setChosen}
      />
      <Button
        disabled={chosen === null}
        onClick={() => {
          if (chosen !== null) onAdd(chosen)
          setChosen(null)
        }}
      >
        Add
      </Button>
    </div>
  )
}
