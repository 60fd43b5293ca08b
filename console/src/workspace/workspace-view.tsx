import { Tabs } from '@mantine/core'
import { useState } from 'react'
import { ChangesView } from './changes/changes-view.tsx'
import { FilesView } from './files/files-view.tsx'
import { ProcessesView } from './processes/processes-view.tsx'
import { useRefreshOnCalls } from './use-refresh-on-calls.ts'
import { WorkspaceHead } from './workspace-head.tsx'
import type { WorkspaceFacts } from './workspace-types.ts'
import styles from './workspace.module.css'

const tabs = ['files', 'changes', 'processes'] as const
type Tab = (typeof tabs)[number]

/** The files of a workspace, what has changed in them, and the processes that run there. */
export function WorkspaceView({ workspace }: { workspace: WorkspaceFacts }) {
  const [tab, setTab] = useState<Tab>('files')
  useRefreshOnCalls(workspace.sessionId)
  return (
    <div className={styles.workspace}>
      <WorkspaceHead workspace={workspace} />
      <Tabs value={tab} onChange={(next) => setTab(tabs.find((one) => one === next) ?? 'files')}>
        <Tabs.List>
          <Tabs.Tab value="files">Files</Tabs.Tab>
          <Tabs.Tab value="changes">Changes</Tabs.Tab>
          <Tabs.Tab value="processes">Processes</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="files" pt="sm">
          <FilesView workspace={workspace} />
        </Tabs.Panel>
        <Tabs.Panel value="changes" pt="sm">
          <ChangesView id={workspace.id} />
        </Tabs.Panel>
        <Tabs.Panel value="processes" pt="sm">
          <ProcessesView id={workspace.id} />
        </Tabs.Panel>
      </Tabs>
    </div>
  )
}
