import { Switch } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
import { useCan } from '../../../api/me.ts'
import { nameRuleAuthor, useNames } from '../../../api/use-names.ts'
import { Panel } from '../../../ui/page.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { notifySuccess, notifyFailure } from '../../../ui/notify.ts'
import { Empty } from '../../../ui/states.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { wordsQuery } from '../parts/agent-queries.ts'
import { ReviewChanges } from '../parts/review-changes.tsx'
import styles from './policy.module.css'

type Pack = Api<'PolicyWords'>['packs'][number]

const route = getRouteApi('/agents')

/** Turns packs on and off. The effect is reviewed before a switch takes effect. */
export function PackSwitches() {
  const { name: asked } = route.useSearch()
  const navigate = route.useNavigate()
  const [wanted, setWanted] = useState<{ name: string; isOn: boolean }>()
  const mayWrite = useCan('policy.write')
  const words = useQuery(wordsQuery)
  const close = () => {
    setWanted(undefined)
    void navigate({ search: ({ name: _name, ...rest }) => rest, replace: true })
  }
  const turn = useTurn(close)
  const linked = words.data?.packs.find(({ name, isOn }) => name === asked && !isOn)
  // A link to turn on a pack opens its review directly.
  const shown = wanted ?? (linked && mayWrite ? { name: linked.name, isOn: true } : undefined)
  return (
    <QueryView query={words}>
      {({ packs }) => (
        <Panel isFlush title={`${packs.length} packs`} className={styles.editor}>
          {packs.length === 0 && <Empty title="No packs" />}
          <ul className={styles.words}>
            {packs.map((pack) => (
              <PackRow
                key={pack.name}
                pack={pack}
                onTurn={mayWrite ? (isOn) => setWanted({ name: pack.name, isOn }) : undefined}
              />
            ))}
          </ul>
          {shown !== undefined && (
            <ReviewChanges
              title={`Turn pack ${shown.name} ${shown.isOn ? 'on' : 'off'}`}
              request={{ packs: { [shown.name]: shown.isOn } }}
              isSaving={turn.isPending}
              onSave={() => turn.mutate(shown)}
              onClose={close}
            />
          )}
        </Panel>
      )}
    </QueryView>
  )
}

function PackRow({ pack, onTurn }: { pack: Pack; onTurn?: (isOn: boolean) => void }) {
  const { name, isOn, isOptIn, tools, setBy } = pack
  const nameOf = useNames()
  return (
    <li className={styles.pack}>
      <b>{name}</b>
      <span className={styles.patterns}>
        {tools} {tools === 1 ? 'tool' : 'tools'}
        {setBy !== undefined && ` · set by ${nameRuleAuthor(setBy, nameOf)}`}
      </span>
      {isOptIn && <Tag>opt-in</Tag>}
      <Switch
        checked={isOn}
        disabled={onTurn === undefined}
        aria-label={`Pack ${name}`}
        label={isOn ? 'On' : 'Off'}
        className={styles.switch}
        onChange={({ currentTarget }) => onTurn?.(currentTarget.checked)}
      />
    </li>
  )
}

function useTurn(onDone: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ name, isOn }: { name: string; isOn: boolean }) =>
      read(
        api.PUT('/api/v1/policies/{kind}/{name}', {
          params: { path: { kind: 'pack', name } },
          body: { body: { isOn } },
        }),
      ),
    onSuccess: async (_policyDocument, { name, isOn }) => {
      notifySuccess(`Pack ${name} is ${isOn ? 'on' : 'off'}`)
      onDone()
      await Promise.all(
        ['policies', 'explain', 'tools'].map((kind) =>
          queryClient.invalidateQueries({ queryKey: [kind] }),
        ),
      )
    },
    onError: notifyFailure,
  })
}
