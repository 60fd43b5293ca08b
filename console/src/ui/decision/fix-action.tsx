import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { CopyText } from '../copy.tsx'
import type { Fix } from './fix-of.ts'
import { LinkButton } from '../link-button.tsx'
import { notifySuccess, notifyFailure } from '../notify.ts'
import styles from './decision-trace.module.css'

/** What can be done about a rule, as something to press; or in words for whoever may not. */
export function FixAction({ fix, tool }: { fix: Fix; tool: string }) {
  switch (fix.kind) {
    case 'grant':
      return <Grant agent={fix.agent} tool={tool} />
    case 'secret':
      return (
        <Guarded permission="secrets.write">
          <LinkButton {...look} to="/secrets" search={{ add: fix.name }}>
            Add secret
          </LinkButton>
        </Guarded>
      )
    case 'agent':
      return (
        <Guarded permission="agents.manage">
          <LinkButton
            {...look}
            to="/agents/$slug"
            params={{ slug: fix.agent }}
            search={{ tab: fix.tab }}
          >
            {fix.tab === 'skills' ? 'Look at its skills' : 'Edit the agent'}
          </LinkButton>
        </Guarded>
      )
    case 'policy':
      return (
        <Guarded permission="policy.write">
          <LinkButton
            {...look}
            to="/agents"
            search={{ tab: 'policy', kind: fix.of, name: fix.name }}
          >
            {fix.of === 'pack' ? `Turn on pack ${fix.name}` : 'Edit the policy'}
          </LinkButton>
        </Guarded>
      )
    case 'skill':
      return (
        <LinkButton {...look} to="/skills" search={{ name: fix.name }}>
          Look at the skill
        </LinkButton>
      )
    case 'members':
      return (
        <Guarded permission="members.manage">
          <LinkButton {...look} to="/settings/{-$section}" params={{ section: 'members' }}>
            Open members
          </LinkButton>
        </Guarded>
      )
    case 'mcp-server':
      return (
        <LinkButton {...look} to="/mcp-servers/$name" params={{ name: fix.server }}>
          Open the server
        </LinkButton>
      )
    case 'configuration':
      return (
        <span className={styles.elsewhere}>
          Change <CopyText text={fix.key} /> in the configuration
        </span>
      )
    case 'command':
      return (
        <span className={styles.elsewhere}>
          <CopyText text={fix.command} />
        </span>
      )
  }
}

const look = { variant: 'light', size: 'xs' } as const

function Guarded({ permission, children }: { permission: string; children: ReactNode }) {
  if (useCan(permission)) return children
  return <span className={styles.elsewhere}>Somebody with {permission} can change it</span>
}

/** One grant more changes nothing else, so it is given on the spot. */
function Grant({ agent, tool }: { agent: string; tool: string }) {
  const queryClient = useQueryClient()
  const grant = useMutation({
    mutationFn: () =>
      read(
        api.POST('/api/v1/agents/{slug}/grants', {
          params: { path: { slug: agent } },
          body: { pattern: tool, kind: 'allow' },
        }),
      ),
    onSuccess: async () => {
      notifySuccess(`${tool} granted to ${agent}`)
      await Promise.all(
        ['agents', 'explain', 'tools', 'tool'].map((kind) =>
          queryClient.invalidateQueries({ queryKey: [kind] }),
        ),
      )
    },
    onError: notifyFailure,
  })
  return (
    <Guarded permission="agents.manage">
      <Button {...look} loading={grant.isPending} onClick={() => grant.mutate()}>
        Grant it to {agent}
      </Button>
    </Guarded>
  )
}
