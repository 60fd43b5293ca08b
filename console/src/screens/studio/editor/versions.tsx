import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../../../api/client.ts'
import type { JsonValue } from '../../../api/json.ts'
import type { Api } from '../../../api/client.ts'
import { useNames } from '../../../api/use-names.ts'
import { LoadMore } from '../../../ui/list/load-more.tsx'
import { Row, RowList } from '../../../ui/list/row-list.tsx'
import { Loading } from '../../../ui/loading.tsx'
import { confirm, notifyFailure, notifySuccess } from '../../../ui/notify.ts'
import { Panel } from '../../../ui/page.tsx'
import { Failed } from '../../../ui/states.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import { JsonTree } from '../../../output/json/json-tree.tsx'
import { refreshStudio, versionsQuery } from '../studio-queries.ts'
import styles from '../studio.module.css'

/** All published versions. Each can be put in force again. */
export function Versions({ name }: { name: string }) {
  const versions = useInfiniteQuery(versionsQuery(name))
  return (
    <Panel title="Versions" isFlush>
      {versions.data === undefined ? (
        versions.isError ? (
          <Failed error={versions.error} retry={() => void versions.refetch()} />
        ) : (
          <Loading rows={2} height={40} />
        )
      ) : (
        <>
          <RowList>
            {versions.data.pages
              .flatMap(({ items }) => items)
              .map((version) => (
                <VersionRow key={version.hash} name={name} version={version} />
              ))}
          </RowList>
          <LoadMore query={versions} />
        </>
      )}
    </Panel>
  )
}

function VersionRow({ name, version }: { name: string; version: Api<'ToolVersion'> }) {
  const { number, hash, note, createdAt, createdBy, isInForce } = version
  const [isOpen, setOpen] = useState(false)
  const nameOf = useNames()
  return (
    <Row
      facts={
        <>
          {isInForce && <Tag tone="allow">In force</Tag>}
          <TimeAgo at={createdAt} />
        </>
      }
    >
      <div className={styles.versions}>
        <span>
          Version {number} by {nameOf(createdBy)}
          {note !== undefined && `: ${note}`}
        </span>
        <span>
          <Button variant="subtle" size="compact-xs" onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : 'Show'}
          </Button>
          {!isInForce && <Restore name={name} hash={hash} number={number} />}
        </span>
        {isOpen && <VersionDocument name={name} hash={hash} />}
      </div>
    </Row>
  )
}

function VersionDocument({ name, hash }: { name: string; hash: string }) {
  const version = useQuery({
    queryKey: ['studio', 'version', name, hash],
    queryFn: () =>
      read(api.GET('/api/v1/tools/{name}/versions/{hash}', { params: { path: { name, hash } } })),
    staleTime: Infinity,
  })
  if (version.isError) return <Failed error={version.error} />
  if (version.data === undefined) return <Loading rows={3} height={20} />
  return (
    <JsonTree
      value={version.data.document as JsonValue}
      label={`Document of version ${version.data.number}`}
    />
  )
}

function Restore({ name, hash, number }: { name: string; hash: string; number: number }) {
  const queryClient = useQueryClient()
  async function restore(): Promise<void> {
    const isSure = await confirm({
      title: `Restore version ${number}?`,
      message: 'It is in force for everybody within a second. Your draft stays.',
      confirmLabel: 'Restore',
    })
    if (!isSure) return
    try {
      await read(
        api.POST('/api/v1/tools/{name}/versions/{hash}/restore', {
          params: { path: { name, hash } },
          body: {},
        }),
      )
      notifySuccess(`Version ${number} restored`)
      await refreshStudio(queryClient)
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <Button variant="subtle" size="compact-xs" onClick={() => void restore()}>
      Restore
    </Button>
  )
}
