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

/** The API keys: scopes, last use, and actions. */
export function KeysSection() {
  const [isMaking, { set: setIsMaking }] = useCreating('key')
  const [issued, setIssued] = useState<IssuedKey>()
  const [hasEnded, setHasEnded] = useState(false)
  const query = useKeys()
  const keys = query.data?.pages.flatMap((page) => page.items)
  const now = useNow()
  const ended = keys?.filter((key) => isOver(key, now)) ?? []
  const shown = hasEnded ? keys : keys?.filter((key) => !isOver(key, now))
  return (
    <>
      <Panel
        isFlush
        title="API keys"
        description="A key is shown once, when it is created. Anyone who has it can use its scopes."
        actions={
          <Button
            size="xs"
            leftSection={<IconPlus size={15} stroke={1.6} />}
            onClick={() => setIsMaking(true)}
          >
            New key
          </Button>
        }
      >
        <ListView query={query} items={shown} empty={<NoKeys hasEnded={ended.length > 0} />}>
          {(found) => <KeyTable keys={found} onIssued={setIssued} />}
        </ListView>
        {ended.length > 0 && (
          <div className={styles.foot}>
            <Switch
              label={`Show expired and revoked keys (${ended.length})`}
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
      {issued !== undefined && <NewKey issued={issued} onClose={() => setIssued(undefined)} />}
    </>
  )
}

function NoKeys({ hasEnded }: { hasEnded: boolean }) {
  return (
    <Empty
      title={hasEnded ? 'No active keys' : 'No keys yet'}
      icon={<IconKey size={24} stroke={1.5} aria-hidden="true" />}
    >
      Programs and MCP clients authenticate with a key. People sign in instead.
    </Empty>
  )
}

function NewKey({ issued, onClose }: { issued: IssuedKey; onClose: () => void }) {
  return (
    <ShownOnce title={issued.key.name} what="key" text={issued.token} onClose={onClose}>
      {issued.warnings?.map((warning) => (
        <p key={warning} className={styles.bodyText}>
          {warning}
        </p>
      ))}
    </ShownOnce>
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
