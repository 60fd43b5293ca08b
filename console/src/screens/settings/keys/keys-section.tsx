import { Button, Switch } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import { useCreating } from '../../../ui/dialog/creating.ts'
import { ListView } from '../../../ui/list/list-view.tsx'
import { Panel } from '../../../ui/page.tsx'
import { Empty } from '../../../ui/states.tsx'
import { useNow } from '../../../ui/time.tsx'
import { ShownOnce } from '../shown-once.tsx'
import { isOver } from './api-key.ts'
import type { IssuedKey } from './api-key.ts'
import { CheckTokens } from './check-tokens.tsx'
import { KeyDialog } from './key-dialog.tsx'
import { KeyTable } from './key-table.tsx'
import styles from '../settings.module.css'

/** The keys of programs: what each may do, when it was last used, and how to end it. */
export function KeysSection() {
  const [isMaking, { set: setIsMaking }] = useCreating('key')
  const [issued, setIssued] = useState<IssuedKey>()
  const [hasEnded, setHasEnded] = useState(false)
  const query = useKeys()
  const keys = query.data?.pages.flatMap((page) => page.items)
  const now = useNow()
  const ended = keys?.filter((key) => isOver(key, now)) ?? []
  const shown = hasEnded ? keys : keys?.filter((key) => !isOver(key, now))
  const makeButton = (
    <Button
      size="xs"
      leftSection={<IconPlus size={15} stroke={1.6} />}
      onClick={() => setIsMaking(true)}
    >
      New key
    </Button>
  )
  return (
    <>
      <Panel
        isFlush
        title="API keys"
        description="A key is shown once, when created. Anyone who has it can use its scopes."
        actions={makeButton}
      >
        <ListView
          query={query}
          items={shown}
          empty={
            <Empty
              title={ended.length > 0 ? 'No key is in use' : 'No keys yet'}
              icon={<IconKey size={24} stroke={1.5} aria-hidden="true" />}
            >
              Programs and MCP clients send one with every request. People sign in instead.
            </Empty>
          }
        >
          {(found) => <KeyTable keys={found} onIssued={setIssued} />}
        </ListView>
        {ended.length > 0 && (
          <div className={styles.foot}>
            <Switch
              label={`Show those that ended (${ended.length})`}
              checked={hasEnded}
              onChange={({ currentTarget: { checked } }) => setHasEnded(checked)}
            />
          </div>
        )}
      </Panel>
      <CheckTokens />
      {isMaking && (
        <KeyDialog
          onClose={() => setIsMaking(false)}
          onIssued={(key) => {
            setIsMaking(false)
            setIssued(key)
          }}
        />
      )}
      {issued !== undefined && (
        <ShownOnce
          title={issued.key.name}
          what="key"
          text={issued.token}
          onClose={() => setIssued(undefined)}
        >
          {issued.warnings?.map((warning) => (
            <p key={warning} className={styles.bodyText}>
              {warning}
            </p>
          ))}
        </ShownOnce>
      )}
    </>
  )
}

function useKeys() {
  return useInfiniteQuery({
    queryKey: ['keys', 'list'],
    queryFn: ({ pageParam }) =>
      read(
        api.GET('/api/v1/keys', {
          params: { query: { limit: 100, ...(pageParam !== '' && { after: pageParam }) } },
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
}
