import { Button, Switch } from '@mantine/core'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import type { Api } from '../../../api/client.ts'
import { Panel } from '../../../ui/page.tsx'
import { Empty, Failed, Loading } from '../../../ui/states.tsx'
import { ShownOnce } from '../shown-once.tsx'
import { CheckTokens } from './check-tokens.tsx'
import { KeyDialog } from './key-dialog.tsx'
import { KeyTable } from './key-table.tsx'
import styles from '../settings.module.css'

export type ApiKey = Api<'ApiKey'>
export type IssuedKey = Api<'IssuedKey'>

/** The keys of programs: what each may do, when it was last used, and how to end it. */
export function KeysSection() {
  const [isMaking, setIsMaking] = useState(false)
  const [issued, setIssued] = useState<IssuedKey>()
  const [hasEnded, setHasEnded] = useState(false)
  const query = useKeys()
  const keys = query.data?.pages.flatMap((page) => page.items)
  const ended = keys?.filter(isOver) ?? []
  const shown = hasEnded ? keys : keys?.filter((key) => !isOver(key))
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
        description="A key is shown once, when it is made. Whoever has it can do what it may do."
        actions={makeButton}
      >
        {shown !== undefined && shown.length > 0 && <KeyTable keys={shown} onIssued={setIssued} />}
        {shown?.length === 0 && (
          <Empty
            title={ended.length > 0 ? 'No key is in use' : 'No keys yet'}
            icon={<IconKey size={24} stroke={1.5} aria-hidden="true" />}
          >
            Programs and MCP clients send one with every request. People sign in instead.
          </Empty>
        )}
        {keys === undefined && query.isError && (
          <Failed error={query.error} retry={() => void query.refetch()} />
        )}
        {keys === undefined && !query.isError && <Loading rows={3} />}
        {query.hasNextPage && (
          <div className={styles.more}>
            <Button
              variant="default"
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              Load more
            </Button>
          </div>
        )}
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

/** It opens nothing any more. */
export function isOver({ revokedAt, expiresAt }: ApiKey): boolean {
  return revokedAt !== undefined || (expiresAt !== undefined && Date.parse(expiresAt) < Date.now())
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
