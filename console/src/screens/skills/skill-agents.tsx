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

/** Agents that have a skill, each with its version; to give it to others and take it off. */
export function SkillAgents({ skill }: { skill: SkillDetail }) {
  const mayManage = useCan('agents.manage')
  const [wish, setWish] = useState<SkillWish>()
  const [chosen, setChosen] = useState<string | null>(null)
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
              <span className={styles.buttons}>
                {pinned !== version && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    onClick={() => setWish({ agent, skill: name, version })}
                  >
                    Move to this version
                  </Button>
                )}
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={`Remove ${agent}`}
                  onClick={() => setWish({ agent, skill: name, isTaken: true })}
                >
                  Remove
                </Button>
              </span>
            )}
          </li>
        ))}
      </ul>
      {mayManage && others.length > 0 && (
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
              if (chosen !== null) setWish({ agent: chosen, skill: name, version })
              setChosen(null)
            }}
          >
            Add
          </Button>
        </div>
      )}
      {wish !== undefined && <SkillChange wish={wish} onClose={() => setWish(undefined)} />}
    </Panel>
  )
}
