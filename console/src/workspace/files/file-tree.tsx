import { Button } from '@mantine/core'
import {
  IconArrowForwardUp,
  IconChevronDown,
  IconChevronRight,
  IconFile,
  IconFolder,
} from '@tabler/icons-react'
import { useId, useState } from 'react'
import { toSafeLine } from '../../output/values/safe-text.ts'
import { formatBytes } from '../../ui/format/format-bytes.ts'
import { nameOf } from '../paths.ts'
import type { WorkspaceFile } from '../workspace-types.ts'
import { toRows } from './tree-rows.ts'
import type { TreeRow } from './tree-rows.ts'
import type { useFolders } from './use-folders.ts'
import { useTreeKeys } from './use-tree-keys.ts'
import styles from './files.module.css'

interface FileTreeProps {
  folders: ReturnType<typeof useFolders>
  opened: ReadonlySet<string>
  onOpened: (opened: ReadonlySet<string>) => void
  selected: string | undefined
  onSelect: (entry: WorkspaceFile) => void
}

/** The files of a workspace as a tree. A folder is read when it is opened. */
export function FileTree({ folders, opened, onOpened, selected, onSelect }: FileTreeProps) {
  const prefix = useId()
  const rows = toRows(folders.folders, opened)
  const [wanted, setActive] = useState<string>()
  const hasActive = rows.some(({ id }) => id === wanted)
  const active = hasActive ? wanted : (selected ?? rows.find(({ entry }) => entry)?.id)
  const toggle = ({ id, isOpen }: TreeRow) => {
    const next = new Set(opened)
    if (isOpen === true) next.delete(id)
    else next.add(id)
    onOpened(next)
  }
  const choose = (row: TreeRow) => {
    setActive(row.id)
    if (row.entry?.kind === 'folder') toggle(row)
    if (row.entry !== undefined) onSelect(row.entry)
  }
  const onKeyDown = useTreeKeys({
    rows,
    active,
    onActive(id) {
      setActive(id)
      document.getElementById(`${prefix}${id}`)?.scrollIntoView({ block: 'nearest' })
    },
    onToggle: toggle,
    onChoose: choose,
  })
  return (
    <div
      role="tree"
      aria-label="Files"
      tabIndex={0}
      className={styles.tree}
      aria-activedescendant={active === undefined ? undefined : `${prefix}${active}`}
      onKeyDown={onKeyDown}
    >
      {rows.map((row) =>
        row.entry === undefined ? (
          <Note key={row.id} row={row} onRetry={() => void folders.refetch()} />
        ) : (
          <Line
            key={row.id}
            id={`${prefix}${row.id}`}
            row={row}
            entry={row.entry}
            isActive={row.id === active}
            isSelected={row.id === selected}
            onChoose={choose}
          />
        ),
      )}
    </div>
  )
}

interface LineProps {
  id: string
  row: TreeRow
  entry: WorkspaceFile
  isActive: boolean
  isSelected: boolean
  onChoose: (row: TreeRow) => void
}

const icons = { file: IconFile, folder: IconFolder, link: IconArrowForwardUp, other: IconFile }

function Line({ id, row, entry, isActive, isSelected, onChoose }: LineProps) {
  const Icon = icons[entry.kind]
  const Chevron = row.isOpen === true ? IconChevronDown : IconChevronRight
  return (
    // The tree has the keys, as its pattern asks for.
    <div
      id={id}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.depth + 1}
      aria-selected={isSelected}
      aria-expanded={row.isOpen}
      className={styles.line}
      data-active={isActive || undefined}
      style={{ paddingLeft: 8 + row.depth * 16 }}
      onClick={() => onChoose(row)}
      onKeyDown={undefined}
    >
      {row.isOpen === undefined ? (
        <span className={styles.noChevron} />
      ) : (
        <Chevron size={14} stroke={1.8} aria-hidden="true" />
      )}
      <Icon size={15} stroke={1.6} aria-hidden="true" />
      <span className={styles.name} dir="auto">
        {toSafeLine(nameOf(entry.path))}
      </span>
      {entry.kind === 'link' && <span className={styles.size}>link</span>}
      {entry.kind === 'file' && <span className={styles.size}>{formatBytes(entry.bytes)}</span>}
    </div>
  )
}

const notes = {
  loading: 'Loading…',
  failed: 'This folder could not be read.',
  empty: 'Empty folder',
  more: 'More files than can be listed here. Download the workspace to see all.',
} as const

function Note({ row, onRetry }: { row: TreeRow; onRetry: () => void }) {
  const note = row.note ?? 'loading'
  return (
    <div className={styles.note} role="presentation" style={{ paddingLeft: 30 + row.depth * 16 }}>
      {notes[note]}
      {note === 'failed' && (
        <Button variant="subtle" size="compact-xs" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}
