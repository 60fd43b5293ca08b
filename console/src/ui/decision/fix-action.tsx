import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { CopyText } from '../copy.tsx'
import type { Fix } from './fix-of.ts'
import { LinkButton } from '../link-button.tsx'
import { notifySuccess, notifyFailure } from '../notify.ts'
import styles from './decision-trace.module.css'

/** The fix for a rule as a button, link or command; without the permission, who can apply it. */
export function FixAction({ fix, tool }: { fix: Fix; tool: string }) {
  switch (fix.kind) {
    case 'grant':
      return <Grant agent={fix.agent} tool={tool} />
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
    case 'api':
    case 'mcp-server':
      return <OriginLink fix={fix} />
    default:
      return <FixLink fix={fix} />
  }
}

type OriginFix = Extract<Fix, { kind: 'api' | 'mcp-server' }>
type LinkedFix = Exclude<Fix, OriginFix | { kind: 'grant' | 'configuration' | 'command' }>

/** The screen where a rule is changed. */
function FixLink({ fix }: { fix: LinkedFix }) {
  const isAllowed = useCan(permissions[fix.kind] ?? '')
  const permission = permissions[fix.kind]
  if (permission !== undefined && !isAllowed) return <NeedsPermission permission={permission} />
  switch (fix.kind) {
    case 'secret':
      return (
        <LinkButton {...look} to="/secrets" search={{ add: fix.name }}>
          Add secret
        </LinkButton>
      )
    case 'agent':
      return (
        <LinkButton
          {...look}
          to="/agents/$slug"
          params={{ slug: fix.agent }}
          search={{ tab: fix.tab }}
        >
          {fix.tab === 'skills' ? 'View its skills' : 'Edit the agent'}
        </LinkButton>
      )
    case 'policy':
      return (
        <LinkButton {...look} to="/agents" search={{ tab: 'policy', kind: fix.of, name: fix.name }}>
          {fix.of === 'pack' ? `Turn on pack ${fix.name}` : 'Edit the policy'}
        </LinkButton>
      )
    case 'skill':
      return (
        <LinkButton {...look} to="/skills" search={{ name: fix.name }}>
          View the skill
        </LinkButton>
      )
    case 'members':
      return (
        <LinkButton {...look} to="/settings/{-$section}" params={{ section: 'members' }}>
          Open members
        </LinkButton>
      )
  }
}

/** Where a tool of others comes from. */
function OriginLink({ fix }: { fix: OriginFix }) {
  return fix.kind === 'api' ? (
    <LinkButton {...look} to="/apis/$name" params={{ name: fix.api }}>
      Open the API
    </LinkButton>
  ) : (
    <LinkButton {...look} to="/mcp-servers/$name" params={{ name: fix.server }}>
      Open the server
    </LinkButton>
  )
}

/** Screens that only people with a permission can change anything on. */
const permissions: Partial<Record<Fix['kind'], string>> = {
  secret: 'secrets.write',
  agent: 'agents.manage',
  policy: 'policy.write',
  members: 'members.manage',
}

const look = { variant: 'light', size: 'xs' } as const

function NeedsPermission({ permission }: { permission: string }) {
  return <span className={styles.elsewhere}>Someone with {permission} can change this</span>
}

/** A grant changes nothing else, so it is added right here. */
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
  if (!useCan('agents.manage')) return <NeedsPermission permission="agents.manage" />
  return (
    <Button {...look} loading={grant.isPending} onClick={() => grant.mutate()}>
      Grant it to {agent}
    </Button>
  )
}
