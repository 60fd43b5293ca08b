import { ActionIcon, Button, SegmentedControl, Tooltip } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { DecisionTag } from '../../ui/status-tags.tsx'
import { Panel } from '../../ui/page.tsx'
import { confirm, notifySuccess, notifyFailure } from '../../ui/notify.ts'
import { Tag } from '../../ui/tag.tsx'
import type { Agent } from './parts/agent-queries.ts'
import { PatternsInput } from './parts/patterns-input.tsx'
import { ReviewChanges } from './parts/review-changes.tsx'
import styles from './agent.module.css'

type Grant = Agent['grants'][number]

/** All patterns granted or denied to an agent, with the source of each. */
export function AgentGrants({ agent }: { agent: Agent }) {
  const mayManage = useCan('agents.manage')
  const remove = useRemove(agent.slug)
  return (
    <Panel
      title="Grants"
      description="What the agent is granted or denied, and by which source. Deny always wins."
      isFlush
    >
      {agent.grants.length === 0 ? (
        <p className={styles.none}>
          {agent.tools.profile === undefined
            ? 'No grants, so the agent can’t see any tool.'
            : `Only the tools of profile ${agent.tools.profile}.`}
        </p>
      ) : (
        <ul className={styles.rows}>
          {agent.grants.map((grant) => (
            <GrantRow key={`${grant.kind} ${grant.pattern}`} grant={grant}>
              {mayManage && grant.sources.includes('manual') && (
                <Tooltip label="Remove">
                  <ActionIcon
                    aria-label={`Remove ${grant.kind} ${grant.pattern}`}
                    onClick={() => void remove(grant)}
                  >
                    <IconX size={15} />
                  </ActionIcon>
                </Tooltip>
              )}
            </GrantRow>
          ))}
        </ul>
      )}
      {mayManage && agent.isDeclared && <AddGrant agent={agent} />}
    </Panel>
  )
}

/** Grants that came with skills. The agent's own grants are edited in its rules. */
export function SkillGrants({ agent }: { agent: Agent }) {
  const grants = agent.grants.filter(({ sources }) => sources.some((one) => one !== 'manual'))
  if (grants.length === 0) return null
  return (
    <Panel
      title="Granted by skills"
      description="These are removed together with the skill."
      isFlush
    >
      <ul className={styles.rows}>
        {grants.map((grant) => (
          <GrantRow key={`${grant.kind} ${grant.pattern}`} grant={grant} />
        ))}
      </ul>
    </Panel>
  )
}

function GrantRow({ grant, children }: { grant: Grant; children?: ReactNode }) {
  return (
    <li className={styles.grant}>
      <code className={styles.pattern}>{grant.pattern}</code>
      <span className={styles.sources}>
        {grant.sources.map((source) => (
          <Source key={source} source={source} />
        ))}
      </span>
      <DecisionTag decision={grant.kind} />
      {children}
    </li>
  )
}

function Source({ source }: { source: string }) {
  const [kind, name] = source.split(':')
  if (kind === 'skill' && name !== undefined) {
    return (
      <Link to="/skills" search={{ name }} className={styles.source}>
        skill {name}
      </Link>
    )
  }
  return <Tag>{source === 'global' ? 'Configuration' : 'Manual'}</Tag>
}

function useAddGrants(slug: string, onAdded: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async ({ patterns, kind }: { patterns: string[]; kind: Grant['kind'] }) => {
      for (const pattern of patterns) {
        await read(
          api.POST('/api/v1/agents/{slug}/grants', {
            params: { path: { slug } },
            body: { pattern, kind },
          }),
        )
      }
    },
    onSuccess: async () => {
      onAdded()
      notifySuccess('Grants added')
      await refresh(queryClient)
    },
    onError: notifyFailure,
  })
}

/** Adds grants to a declared agent. Everything else about it is changed in the configuration. */
function AddGrant({ agent }: { agent: Agent }) {
  const [patterns, setPatterns] = useState<string[]>([])
  const [kind, setKind] = useState<Grant['kind']>('allow')
  const [isReviewing, setReviewing] = useState(false)
  const { slug, tools } = agent
  const add = useAddGrants(slug, () => {
    setReviewing(false)
    setPatterns([])
  })
  return (
    <div className={styles.addGrant}>
      <PatternsInput
        label="Add grants"
        placeholder={patterns.length === 0 ? 'billing.find, group:web' : ''}
        value={patterns}
        onChange={setPatterns}
      />
      <div className={styles.addGrantBar}>
        <SegmentedControl
          aria-label="Allow or deny"
          value={kind}
          onChange={(value) => setKind(value === 'deny' ? 'deny' : 'allow')}
          data={[
            { value: 'allow', label: 'Allow' },
            { value: 'deny', label: 'Deny' },
          ]}
        />
        <Button disabled={patterns.length === 0} onClick={() => setReviewing(true)}>
          Review changes
        </Button>
      </div>
      {isReviewing && (
        <ReviewChanges
          title={`Changes for ${agent.name ?? slug}`}
          request={{
            agent: slug,
            agents: { [slug]: { tools: { [kind]: [...tools[kind], ...patterns] } } },
          }}
          patterns={patterns}
          isSaving={add.isPending}
          onSave={() => add.mutate({ patterns, kind })}
          onClose={() => setReviewing(false)}
        />
      )}
    </div>
  )
}

function useRemove(slug: string) {
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: ({ pattern, kind }: Grant) =>
      read(
        api.DELETE('/api/v1/agents/{slug}/grants', {
          params: { path: { slug }, query: { pattern, kind } },
        }),
      ),
    onSuccess: async () => {
      notifySuccess('Grant removed')
      await refresh(queryClient)
    },
    onError: notifyFailure,
  })
  return async (grant: Grant) => {
    const isSure = await confirm({
      title: `Remove ${grant.kind} ${grant.pattern}?`,
      message:
        grant.kind === 'allow'
          ? `${slug} loses the tools granted only by this pattern.`
          : `${slug} regains the tools denied only by this pattern.`,
      confirmLabel: 'Remove',
      isDangerous: grant.kind === 'allow',
    })
    if (isSure) remove.mutate(grant)
  }
}

async function refresh(queryClient: ReturnType<typeof useQueryClient>): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ['agents'] }),
    queryClient.invalidateQueries({ queryKey: ['explain'] }),
  ])
}
