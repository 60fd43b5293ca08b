import { ActionIcon, Button, Progress, SegmentedControl, Tooltip } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { IconDownload, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useCan } from '../api/me.ts'
import { formatBytes } from '../ui/format/format-bytes.ts'
import { formatNumber } from '../ui/format/locale.ts'
import { notifyFailure, notifySuccess } from '../ui/notify.ts'
import { TimeAgo } from '../ui/time.tsx'
import { Tag } from '../ui/tag.tsx'
import { modeWords } from './mode-words.ts'
import { archiveAddress, download } from './workspace-bytes.ts'
import { setMode } from './workspace-queries.ts'
import { workspaceModes } from './workspace-types.ts'
import type { WorkspaceFacts, WorkspaceMode } from './workspace-types.ts'
import styles from './workspace.module.css'

/** How full a workspace is, what agents may do in it, and all of it as a file. */
export function WorkspaceHead({ workspace }: { workspace: WorkspaceFacts }) {
  const queryClient = useQueryClient()
  const mayWrite = useCan('workspaces.write')
  return (
    <div className={styles.head}>
      <Usage workspace={workspace} />
      <div className={styles.headActions}>
        {mayWrite ? <Mode workspace={workspace} /> : <ModeTag mode={workspace.mode} />}
        <Tooltip label="Refresh">
          <ActionIcon
            variant="default"
            aria-label="Refresh"
            onClick={() => void queryClient.invalidateQueries({ queryKey: ['workspaces'] })}
          >
            <IconRefresh size={16} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
        <DownloadAll workspace={workspace} />
      </div>
    </div>
  )
}

const nearlyFull = 0.9

function Usage({ workspace }: { workspace: WorkspaceFacts }) {
  const { bytes, files, maxBytes, maxFiles, expiresAt } = workspace
  const part = Math.max(bytes / Math.max(1, maxBytes), files / Math.max(1, maxFiles))
  const isFull = part >= nearlyFull
  return (
    <div className={styles.usage}>
      <span>
        {`${formatBytes(bytes)} of ${formatBytes(maxBytes)} · ${formatNumber(files)} of ${formatNumber(maxFiles)} files`}
        {expiresAt !== undefined && (
          <>
            {' · removed '}
            <TimeAgo at={expiresAt} />
            {' unless used'}
          </>
        )}
      </span>
      <Progress
        size="sm"
        value={Math.min(100, part * 100)}
        {...(isFull && { color: 'red' })}
        aria-label={`${Math.round(part * 100)} % full`}
      />
    </div>
  )
}

function ModeTag({ mode }: { mode: WorkspaceMode }) {
  const { label, help, tone } = modeWords[mode]
  return (
    <Tag tone={tone} title={help}>
      {label}
    </Tag>
  )
}

function Mode({ workspace: { id, mode } }: { workspace: WorkspaceFacts }) {
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: (next: WorkspaceMode) => setMode(id, next),
    onSuccess: ({ mode: next }) => notifySuccess(modeWords[next].help),
    onError: notifyFailure,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['workspaces'] }),
  })
  const shown = change.isPending ? change.variables : mode
  return (
    <Tooltip label={modeWords[shown].help}>
      <SegmentedControl
        size="xs"
        aria-label="Permission to write"
        value={shown}
        disabled={change.isPending}
        onChange={(next) => {
          const wanted = workspaceModes.find((one) => one === next)
          if (wanted !== undefined) change.mutate(wanted)
        }}
        data={workspaceModes.map((value) => ({ value, label: modeWords[value].label }))}
      />
    </Tooltip>
  )
}

function DownloadAll({ workspace: { id, files } }: { workspace: WorkspaceFacts }) {
  const [stop, setStop] = useState<AbortController>()
  async function start(): Promise<void> {
    const wanted = new AbortController()
    setStop(wanted)
    try {
      await download(archiveAddress(id), { name: `${id}.zip`, signal: wanted.signal })
    } catch (error) {
      if (!wanted.signal.aborted) notifyFailure(error)
    } finally {
      setStop(undefined)
    }
  }
  if (files === 0) return null
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconDownload size={15} stroke={1.6} />}
      onClick={() => (stop === undefined ? void start() : stop.abort())}
    >
      {stop === undefined ? 'Download all' : 'Cancel download'}
    </Button>
  )
}
