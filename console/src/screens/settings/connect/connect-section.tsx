import { Button, Select, Tabs } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import { useCan } from '../../../api/me.ts'
import { Caution } from '../../../ui/dialog/caution.tsx'
import { Code } from '../../../ui/code.tsx'
import { CopyText } from '../../../ui/copy.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Panel } from '../../../ui/page.tsx'
import { notifyFailure } from '../../../ui/notify.ts'
import { useSettings } from '../use-settings.ts'
import { mcpClients } from './mcp-clients.ts'
import { programs } from './programs.ts'
import styles from '../settings.module.css'

/** How programs connect: MCP clients, the AI SDK, the command line, HTTP. */
export function ConnectSection() {
  const { data: settings } = useSettings()
  const [agent, setAgent] = useState('')
  const origin = (settings?.publicUrl ?? window.location.origin).replace(/\/+$/, '')
  const address = `${origin}/mcp${agent === '' ? '' : `/${encodeURIComponent(agent)}`}`
  const key = useNewKey(agent)
  return (
    <>
      <Panel title="MCP endpoint" actions={<AgentSelect agent={agent} onChange={setAgent} />}>
        <Facts>
          <dt>Address</dt>
          <dd>
            <CopyText text={address} />
          </dd>
          <dt>Key</dt>
          <dd>
            <KeyOffer {...key} />
          </dd>
          <dt>Tools</dt>
          <dd>
            {agent === ''
              ? 'The tools available to the key, under the same policy, approvals and audit log as here.'
              : `The tools of the agent ${agent}, under its grants, profile and approvals.`}
          </dd>
        </Facts>
      </Panel>
      <Panel title="Setup">
        <Setup origin={origin} address={address} agent={agent} token={key.token} />
      </Panel>
    </>
  )
}

interface SetupProps {
  origin: string
  address: string
  agent: string
  token: string | undefined
}

function Setup({ origin, address, agent, token }: SetupProps) {
  const [tab, setTab] = useState<string | null>(mcpClients[0]?.client ?? null)
  const program = programs.find(({ slug }) => slug === tab)
  const client = mcpClients.find((one) => one.client === tab)
  return (
    <Tabs value={tab} onChange={setTab}>
      <Tabs.List>
        {mcpClients.map((one) => (
          <Tabs.Tab key={one.client} value={one.client}>
            {one.title}
          </Tabs.Tab>
        ))}
        {programs.map((one) => (
          <Tabs.Tab key={one.slug} value={one.slug}>
            {one.title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {client !== undefined && (
        <Tabs.Panel value={client.client} pt="md">
          <p className={styles.bodyText}>
            Add this to <code>{client.file}</code>
            {client.where !== undefined && ` ${client.where}`}, or run{' '}
            <code>toolcrib mcp config {client.client} --write</code>
          </p>
          <Code text={client.snippet(address, token)} label={`Configuration for ${client.title}`} />
          <p className={styles.dim}>
            {token === undefined && client.keyHint} {client.nextStep}
          </p>
        </Tabs.Panel>
      )}
      {program !== undefined && (
        <Tabs.Panel value={program.slug} pt="md">
          <p className={styles.bodyText}>{program.remark}</p>
          <Code
            text={program.snippet({ origin, agent, key: token })}
            label={`Example for ${program.title}`}
          />
        </Tabs.Panel>
      )}
    </Tabs>
  )
}

interface KeyOfferProps {
  token: string | undefined
  mayMake: boolean
  isMaking: boolean
  make: () => void
}

function KeyOffer({ token, mayMake, isMaking, make }: KeyOfferProps) {
  if (token !== undefined) {
    return (
      <Caution tone="ask" title="The snippets below contain the key, which is shown once">
        Copy them now. The key can only call tools. You can revoke it under API keys.
      </Caution>
    )
  }
  if (!mayMake) {
    return (
      <span className={styles.dim}>
        Ask someone with the permission keys.manage for a key with the scope tools.call.
      </span>
    )
  }
  return (
    <Button size="xs" variant="default" maw="100%" loading={isMaking} onClick={make}>
      Create key for these snippets
    </Button>
  )
}

/** A key that can only call tools; it is kept on this screen alone. */
function useNewKey(agent: string): KeyOfferProps {
  const mayMake = useCan('keys.manage')
  const queryClient = useQueryClient()
  const made = useMutation({
    mutationFn: () =>
      read(
        api.POST('/api/v1/keys', {
          body: { name: 'Connect', scopes: ['tools.call'], ...(agent !== '' && { agent }) },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['keys'] }),
    onError: notifyFailure,
  })
  // A key bound to one agent does not work for another.
  const isOfAgent = (made.data?.key.agent ?? '') === agent
  return {
    token: isOfAgent ? made.data?.token : undefined,
    mayMake,
    isMaking: made.isPending,
    make: () => made.mutate(),
  }
}

function AgentSelect({ agent, onChange }: { agent: string; onChange: (agent: string) => void }) {
  const mayManage = useCan('agents.manage')
  const mayRead = useCan('policy.read')
  const { data } = useQuery({
    queryKey: ['agents', 'to connect'],
    queryFn: () => read(api.GET('/api/v1/agents', { params: { query: { limit: 100 } } })),
    enabled: mayManage || mayRead,
  })
  if (data === undefined || data.items.length === 0) return null
  return (
    <Select
      aria-label="Agent"
      data={[
        { value: '', label: 'All tools of the key' },
        ...data.items.map(({ slug, name }) => ({ value: slug, label: `Agent ${name ?? slug}` })),
      ]}
      value={agent}
      onChange={(chosen) => onChange(chosen ?? '')}
      allowDeselect={false}
    />
  )
}
