import { Button, Select } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCan } from '../../api/me.ts'
import { CopyText } from '../../ui/copy.tsx'
import { Panel } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { SkillChange } from '../skills/skill-change.tsx'
import type { SkillWish } from '../skills/skill-change.tsx'
import { skillsQuery } from '../skills/skill-queries.ts'
import type { Agent } from './parts/agent-queries.ts'
import styles from './agent.module.css'

/** The skills of an agent: add, remove, or switch to another version. */
export function AgentSkills({ agent }: { agent: Agent }) {
  const mayManage = useCan('agents.manage')
  const [wish, setWish] = useState<SkillWish>()
  const { data } = useInfiniteQuery(skillsQuery({}))
  const skills = data?.pages.flatMap(({ items }) => items) ?? []
  const newest = new Map(skills.map(({ name, version }) => [name, version]))
  const has = new Set(agent.skills.map(({ name }) => name))
  return (
    <div className={styles.narrow}>
      <Panel
        title="Skills"
        description="Instructions and files the agent can read. Each skill also grants the tools it requires."
        isFlush
      >
        {agent.skills.length === 0 && <NoSkills areInstalled={skills.length > 0} />}
        <ul className={styles.rows}>
          {agent.skills.map(({ name, version }) => (
            <li key={name} className={styles.grant}>
              <span className={styles.pattern}>
                <Link to="/skills" search={{ name }}>
                  {name}
                </Link>{' '}
                <CopyText text={version} label={version.slice(0, 12)} />
              </span>
              {mayManage && newest.has(name) && newest.get(name) !== version && (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => setWish({ agent: agent.slug, skill: name })}
                >
                  Update
                </Button>
              )}
              {mayManage && (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => setWish({ agent: agent.slug, skill: name, isTaken: true })}
                >
                  Remove
                </Button>
              )}
            </li>
          ))}
        </ul>
        {mayManage && (
          <AddSkill
            names={skills.map(({ name }) => name).filter((name) => !has.has(name))}
            onAdd={(skill) => setWish({ agent: agent.slug, skill })}
          />
        )}
      </Panel>
      {wish !== undefined && <SkillChange wish={wish} onClose={() => setWish(undefined)} />}
    </div>
  )
}

function NoSkills({ areInstalled }: { areInstalled: boolean }) {
  return (
    <Empty title="No skills">
      {areInstalled
        ? 'Choose a skill below to add it.'
        : 'No skills installed. Install one under Skills, then add it here.'}
    </Empty>
  )
}

function AddSkill({ names, onAdd }: { names: readonly string[]; onAdd: (skill: string) => void }) {
  const [name, setName] = useState<string | null>(null)
  if (names.length === 0) return null
  return (
    <div className={styles.addGrant}>
      <Select
        label="Add skill"
        placeholder="Choose"
        searchable
        data={names}
        value={name}
        onChange={setName}
      />
      <div className={styles.addGrantBar}>
        <span />
        <Button
          disabled={name === null}
          onClick={() => {
            if (name !== null) onAdd(name)
            setName(null)
          }}
        >
          Review
        </Button>
      </div>
    </div>
  )
}
