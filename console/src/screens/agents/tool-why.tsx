import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { notifySuccess, notifyFailure } from '../../ui/notify.ts'
import { DecisionTrace } from '../../ui/decision/decision-trace.tsx'
import { DecisionTag } from '../../ui/status-tags.tsx'
import { Panel } from '../../ui/page.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Failed } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { agentQuery, whyQuery } from './parts/agent-queries.ts'
import type { Look } from './parts/agent-queries.ts'
import { hasSettings } from './tool-settings/settings-draft.ts'
import styles from './agent.module.css'

interface ToolWhyProps {
  agent: string
  tool: string
  title?: string
  look: Look
  onSettings: () => void
}

/** Why an agent can use a tool, needs approval for it, or can't see it. */
export function ToolWhy({ agent, tool, title = tool, look, onSettings }: ToolWhyProps) {
  const why = useQuery(whyQuery(agent, tool, look))
  const explanation = why.data
  if (explanation === undefined || explanation.tool !== tool) {
    return (
      <Panel title={`Why ${title}`} className={styles.why}>
        {why.isError ? (
          <Failed error={why.error} retry={() => void why.refetch()} />
        ) : (
          <Loading rows={7} />
        )}
      </Panel>
    )
  }
  const decision = explanation.visible ? explanation.verdict : 'hidden'
  return (
    <Panel
      title={`Why ${title} is ${words[decision] ?? decision}`}
      description="Layers are checked in order. The first one that stops decides."
      actions={<DecisionTag decision={decision} />}
      className={styles.why}
    >
      <DecisionTrace tool={tool} layers={explanation.layers} asks={explanation.asks} />
      <div className={styles.more}>
        <Link to="/tools/$name" params={{ name: tool }}>
          Open tool
        </Link>
        <SettingsButton agent={agent} tool={tool} onOpen={onSettings} />
        {explanation.visible && <TurnOff agent={agent} tool={tool} />}
        {explanation.labels !== undefined && (
          <span>
            reads {explanation.labels.reads.join(', ') || 'nothing labelled'}, effects{' '}
            {explanation.labels.effects}
          </span>
        )}
      </div>
    </Panel>
  )
}

/** The agent's own settings for this tool: timeout, execution, options. */
function SettingsButton({ agent: slug, tool, onOpen }: SettingsButtonProps) {
  const { data: agent } = useQuery(agentQuery(slug))
  if (agent === undefined) return null
  return (
    <>
      <Button size="xs" variant="default" onClick={onOpen}>
        Settings
      </Button>
      {hasSettings(agent.settings, tool) && <Tag tone="iris">Set for this agent</Tag>}
    </>
  )
}

interface SettingsButtonProps {
  agent: string
  tool: string
  onOpen: () => void
}

/** Turns one tool off: removes its own grant, and adds a deny if a wider grant remains. */
function TurnOff({ agent, tool }: { agent: string; tool: string }) {
  const queryClient = useQueryClient()
  const turnOff = useMutation({
    mutationFn: () =>
      read(
        api.DELETE('/api/v1/agents/{slug}/tools/{name}', {
          params: { path: { slug: agent, name: tool } },
        }),
      ),
    onSuccess: async () => {
      notifySuccess(`${tool} removed from ${agent}`)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ['agents'] }),
        queryClient.invalidateQueries({ queryKey: ['explain'] }),
      ])
    },
    onError: notifyFailure,
  })
  if (!useCan('agents.manage')) return null
  return (
    <Button
      size="xs"
      variant="default"
      loading={turnOff.isPending}
      onClick={() => turnOff.mutate()}
    >
      Turn off for {agent}
    </Button>
  )
}

const words: Record<string, string> = {
  allow: 'allowed',
  ask: 'allowed after approval',
  deny: 'denied',
  hidden: 'hidden',
}
