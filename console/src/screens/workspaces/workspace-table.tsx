import { Link } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { IconFolderOpen, IconTrash } from '@tabler/icons-react'
import { useCan } from '../../api/me.ts'
import { useNames } from '../../api/use-names.ts'
import { formatBytes } from '../../ui/format/format-bytes.ts'
import { formatNumber } from '../../ui/format/locale.ts'
import { Cell, ListTable } from '../../ui/list/list-table.tsx'
import { RowActions } from '../../ui/list/row-actions.tsx'
import { Panel } from '../../ui/page.tsx'
import { Tag } from '../../ui/tag.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { modeWords } from '../../workspace/mode-words.ts'
import type { WorkspaceFacts } from '../../workspace/workspace-types.ts'
import { describeOwner } from './describe-owner.ts'
import { SessionLink } from './session-link.tsx'
import { removeAfterAsking } from './remove-workspace.ts'
import styles from './workspaces.module.css'

/** A line for each workspace. */
export function WorkspaceTable({ items }: { items: readonly WorkspaceFacts[] }) {
  return (
    <Panel isFlush>
      <ListTable
        label="Workspaces"
        head={['Workspace', 'Session', 'Size', 'Agents may', 'Used', '']}
      >
        {items.map((workspace) => (
          <Row key={workspace.id} workspace={workspace} />
        ))}
      </ListTable>
    </Panel>
  )
}

function Row({ workspace }: { workspace: WorkspaceFacts }) {
  const queryClient = useQueryClient()
  const mayWrite = useCan('workspaces.write')
  const describeName = useNames()
  const { id, bytes, files, mode, usedAt, expiresAt } = workspace
  return (
    <tr>
      <Cell kind="name">
        <span className={styles.name}>
          <Link to="/workspaces/$id" params={{ id }} dir="auto">
            {describeOwner(workspace, describeName)}
          </Link>
          <code>{id}</code>
        </span>
      </Cell>
      <Cell label="Session">
        <SessionLink workspace={workspace} />
      </Cell>
      <Cell label="Size">
        {formatBytes(bytes)}
        <span
          className={styles.dim}
        >{` · ${formatNumber(files)} ${files === 1 ? 'file' : 'files'}`}</span>
      </Cell>
      <Cell label="Agents may">
        <Tag tone={modeWords[mode].tone} title={modeWords[mode].help}>
          {modeWords[mode].label}
        </Tag>
      </Cell>
      <Cell label="Used">
        <TimeAgo at={usedAt} />
        {expiresAt !== undefined && (
          <span className={styles.dim}>
            {' · removed '}
            <TimeAgo at={expiresAt} />
          </span>
        )}
      </Cell>
      <Cell kind="menu">
        <RowActions
          name={describeOwner(workspace, describeName)}
          actions={[
            {
              label: 'Open',
              icon: IconFolderOpen,
              renderRoot: (props) => <Link to="/workspaces/$id" params={{ id }} {...props} />,
            },
            mayWrite && {
              label: 'Remove',
              icon: IconTrash,
              isDangerous: true,
              onClick: () => void removeAfterAsking(workspace, queryClient),
            },
          ]}
        />
      </Cell>
    </tr>
  )
}
