import { ActionIcon, Button, FileButton, Progress } from '@mantine/core'
import { IconFolderOpen, IconUpload, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toSafeLine } from '../../output/values/safe-text.ts'
import { confirm, notifyFailure, notifySuccess } from '../../ui/notify.ts'
import { Empty, Failed } from '../../ui/states.tsx'
import { useDrop } from '../../ui/use-drop.ts'
import { folderOf, nameOf } from '../paths.ts'
import { removeFile } from '../workspace-queries.ts'
import { useMayChange } from '../use-may-change.ts'
import type { WorkspaceFacts, WorkspaceFile } from '../workspace-types.ts'
import { FilePreview } from './file-preview.tsx'
import { FileTree } from './file-tree.tsx'
import { useFolders } from './use-folders.ts'
import { useUploads } from './use-uploads.ts'
import styles from './files.module.css'

/** The tree of files, and the one that is looked at. Files are added by dropping them here. */
export function FilesView({ workspace }: { workspace: WorkspaceFacts }) {
  const { id } = workspace
  const mayWrite = useMayChange(workspace)
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [path, setPath] = useState<string>()
  const folders = useFolders(id, opened)
  const selected = find(folders.folders, path)
  const folder = toTarget(selected, path)
  const uploads = useUploads(id, folder)
  const { isOver, dropProps } = useDrop(!mayWrite, uploads.send)
  const remove = useRemove(id, () => setPath(undefined))
  if (folders.rootError != null) {
    return <Failed error={folders.rootError} retry={() => void folders.refetch()} />
  }
  const isEmpty = folders.folders.get('')?.items?.length === 0
  return (
    <div className={styles.zone} data-over={isOver || undefined} {...dropProps}>
      {mayWrite && <UploadBar uploads={uploads} folder={folder} />}
      {isEmpty ? (
        <Empty
          title="No files yet"
          icon={<IconFolderOpen size={24} stroke={1.5} aria-hidden="true" />}
        >
          Files that the agent writes appear here.
          {mayWrite && ' You can drop files here to give them to the agent.'}
        </Empty>
      ) : (
        <div className={styles.files} data-selected={selected !== undefined || undefined}>
          <FileTree
            folders={folders}
            opened={opened}
            onOpened={setOpened}
            selected={path}
            onSelect={(entry) => setPath(entry.path)}
          />
          {selected !== undefined && (
            <FilePreview
              key={selected.path}
              id={id}
              file={selected}
              onDelete={mayWrite ? () => void remove(selected) : undefined}
            />
          )}
        </div>
      )}
    </div>
  )
}

/** The folder that uploads go to. */
function toTarget(selected: WorkspaceFile | undefined, path: string | undefined): string {
  if (selected?.kind === 'folder') return selected.path
  return path === undefined ? '' : folderOf(path)
}

function find(
  folders: ReturnType<typeof useFolders>['folders'],
  path: string | undefined,
): WorkspaceFile | undefined {
  if (path === undefined) return undefined
  return folders.get(folderOf(path))?.items?.find((one) => one.path === path)
}

interface UploadBarProps {
  uploads: ReturnType<typeof useUploads>
  folder: string
}

function UploadBar({ uploads, folder }: UploadBarProps) {
  return (
    <div className={styles.bar}>
      <FileButton multiple onChange={uploads.send} inputProps={{ 'aria-label': 'Files to upload' }}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            size="xs"
            loading={uploads.isSending}
            leftSection={<IconUpload size={15} stroke={1.6} />}
          >
            Upload
          </Button>
        )}
      </FileButton>
      <span className={styles.hint}>
        or drop files here, into {folder === '' ? 'the root' : <code>{toSafeLine(folder)}</code>}
      </span>
      <output className={styles.hint}>{uploads.words}</output>
      {uploads.isSending && (
        <span className={styles.sending}>
          <Progress.Root size="sm" className={styles.progress}>
            <Progress.Section value={uploads.percent} aria-label="Uploading files" />
          </Progress.Root>
          <span className={styles.hint}>{`${uploads.percent} %`}</span>
          <ActionIcon aria-label="Cancel the upload" onClick={uploads.cancel}>
            <IconX size={15} stroke={1.6} />
          </ActionIcon>
        </span>
      )}
    </div>
  )
}

function useRemove(id: string, onRemoved: () => void) {
  const queryClient = useQueryClient()
  return async (file: WorkspaceFile) => {
    const name = toSafeLine(nameOf(file.path))
    const isFolder = file.kind === 'folder'
    const isSure = await confirm({
      title: isFolder ? `Delete the folder ${name}?` : `Delete ${name}?`,
      message: isFolder
        ? 'The folder is removed with everything in it. This can’t be undone.'
        : 'The file is removed from the workspace. This can’t be undone.',
      confirmLabel: 'Delete',
      isDangerous: true,
    })
    if (!isSure) return
    try {
      await removeFile(id, file.path, { isRecursive: isFolder })
      notifySuccess(`${name} deleted`)
      onRemoved()
    } catch (error) {
      notifyFailure(error)
    }
    await queryClient.invalidateQueries({ queryKey: ['workspaces'] })
  }
}
