import { Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api, read } from '../../api/client.ts'
import { useCan } from '../../api/me.ts'
import { AgentTools } from './agent-tools.tsx'
import { runtimes } from '../../api/enums.ts'
import { asRuntime, runtimeWords } from './parts/agent-queries.ts'
import type { Agent } from './parts/agent-queries.ts'
import styles from './agent.module.css'

const route = getRouteApi('/agents/$slug')

interface Search {
  as?: string | undefined
  runtime?: string | undefined
  skill?: string | undefined
  session?: string | undefined
}

/** The agent's tools as another caller would get them: a role, a member or a key, in any runtime. */
export function TestAs({ agent }: { agent: Agent }) {
  const { as, runtime, skill, session } = route.useSearch()
  const navigate = route.useNavigate()
  const people = usePeople()
  const set = (change: Search) =>
    void navigate({
      search: ({ tool: _tool, ...before }) => ({ ...before, ...change }),
      replace: true,
    })
  const chosen = people.some(({ items }) => items.some(({ value }) => value === as))
  return (
    <>
      <div className={styles.testBar}>
        <Select
          label="Calls on behalf of"
          searchable
          clearable
          placeholder="You"
          data={people}
          value={chosen ? (as ?? null) : null}
          onChange={(value) => set({ as: value ?? undefined })}
        />
        <Select
          label="Runtime"
          allowDeselect={false}
          data={runtimes.map((value) => ({ value, label: runtimeWords[value] }))}
          value={asRuntime(runtime)}
          onChange={(value) => set({ runtime: value ?? undefined })}
        />
        {agent.skills.length > 0 && (
          <Select
            label="Active skill"
            clearable
            placeholder="None"
            data={agent.skills.map(({ name }) => name)}
            value={skill ?? null}
            onChange={(value) => set({ skill: value ?? undefined })}
          />
        )}
        <IdFields {...(!chosen && { as })} session={session} set={set} />
      </div>
      <AgentTools
        slug={agent.slug}
        look={{
          runtime: asRuntime(runtime),
          ...(as !== undefined && { as }),
          ...(skill !== undefined && { skill }),
          ...(session !== undefined && { session }),
        }}
      />
    </>
  )
}

interface IdFieldsProps {
  as?: string | undefined
  session: string | undefined
  set: (change: Search) => void
}

function IdFields({ as = '', session, set }: IdFieldsProps) {
  return (
    <>
      <TextInput
        label="Or by id"
        placeholder="key:key_… or member:…"
        defaultValue={as}
        onBlur={({ currentTarget: { value } }) => {
          if (value.trim() !== '') set({ as: value.trim() })
        }}
      />
      <TextInput
        label="With the data this session has seen"
        placeholder="conv_…"
        defaultValue={session}
        onBlur={({ currentTarget: { value } }) => {
          if (value.trim() !== (session ?? '')) set({ session: value.trim() || undefined })
        }}
      />
    </>
  )
}

interface Choices {
  group: string
  items: { value: string; label: string }[]
}

const roles = ['owner', 'admin', 'operator', 'member', 'viewer', 'auditor']

/** Roles always; members and keys if you may list them. */
function usePeople(): Choices[] {
  const mayMembers = useCan('members.manage')
  const mayKeys = useCan('keys.manage')
  const { data: members } = useQuery({
    queryKey: ['members', 'choices'],
    queryFn: () => read(api.GET('/api/v1/members', { params: { query: { limit: 100 } } })),
    enabled: mayMembers,
  })
  const { data: keys } = useQuery({
    queryKey: ['keys', 'choices'],
    queryFn: () => read(api.GET('/api/v1/keys', { params: { query: { limit: 100 } } })),
    enabled: mayKeys,
  })
  return [
    { group: 'Roles', items: roles.map((role) => ({ value: `role:${role}`, label: role })) },
    {
      group: 'Members',
      items: (members?.items ?? []).map(({ id, name, email }) => ({
        value: `member:${id}`,
        label: email === undefined ? name : `${name} · ${email}`,
      })),
    },
    {
      group: 'Keys',
      items: (keys?.items ?? []).map(({ id, name }) => ({ value: `key:${id}`, label: name })),
    },
  ].filter(({ items }) => items.length > 0)
}
