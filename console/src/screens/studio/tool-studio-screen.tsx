import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCan } from '../../api/me.ts'
import { Loading } from '../../ui/loading.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Page, Panel } from '../../ui/page.tsx'
import { Failed, NotAllowed } from '../../ui/states.tsx'
import { Tag } from '../../ui/tag.tsx'
import { FindingsList } from './editor/findings-list.tsx'
import { useLiveForm } from './editor/live-form.tsx'
import { PublishDialog } from './editor/publish-dialog.tsx'
import { SaveStatus } from './editor/save-status.tsx'
import { TestPanel } from './editor/test-panel.tsx'
import { ToolTabs } from './editor/tool-tabs.tsx'
import { useDocument } from './editor/use-document.ts'
import type { EditedDocument } from './editor/use-document.ts'
import { Versions } from './editor/versions.tsx'
import { MoreActions } from './more-actions.tsx'
import { OverrideEditor } from './override-editor.tsx'
import { sourceQuery } from './studio-queries.ts'
import type { ToolSource } from './studio-queries.ts'
import styles from './studio.module.css'

const route = getRouteApi('/studio/$name')

/** One tool in the studio: its draft with a live form and a test, its versions, and publishing. */
export function ToolStudioScreen() {
  const { name } = route.useParams()
  const mayAuthor = useCan('tools.author')
  const source = useQuery({ ...sourceQuery(name), enabled: mayAuthor })
  if (source.data !== undefined && !source.isError)
    return <Loaded key={`${name} ${source.data.version?.hash}`} source={source.data} />
  return (
    <Page title={name} description={<Link to="/studio">All tools of the studio</Link>}>
      {!mayAuthor ? (
        <NotAllowed>You need tools.author to make tools.</NotAllowed>
      ) : source.isError ? (
        <Failed error={source.error} retry={() => void source.refetch()} />
      ) : (
        <Loading rows={8} height={40} />
      )}
    </Page>
  )
}

function Loaded({ source }: { source: ToolSource }) {
  const isOwn = source.source === 'authored' || source.source === 'draft'
  return isOwn ? <Editor source={source} /> : <OverrideEditor source={source} />
}

function Editor({ source }: { source: ToolSource }) {
  const { name, version, drafts } = source
  const open = useDocument(source)
  const [isPublishing, setPublishing] = useState(false)
  const others = drafts.filter(({ isMine }) => !isMine).length
  const publish = async () => {
    if (await open.flush()) setPublishing(true)
  }
  return (
    <Page
      title={name}
      badges={<Standing source={source} hasDraft={open.revision !== undefined} />}
      description={
        <>
          <Link to="/studio">Studio</Link> · <SaveStatus open={open} />
          {others > 0 && ` · ${others} ${others === 1 ? 'other draft' : 'other drafts'}`}
        </>
      }
      actions={
        <>
          {version !== undefined && (
            <Button
              variant="default"
              renderRoot={(props) => <Link to="/tools/$name" params={{ name }} {...props} />}
            >
              Open tool
            </Button>
          )}
          <Button onClick={() => void publish()}>Publish…</Button>
          <MoreActions source={source} hasDraft={open.revision !== undefined} />
        </>
      }
    >
      {open.state === 'conflict' && (
        <Notice isApart tone="ask" title="This draft was changed in another window">
          <Button variant="default" size="xs" onClick={() => window.location.reload()}>
            Load that version
          </Button>
        </Notice>
      )}
      <Parts name={name} open={open} isPublished={version !== undefined} />
      {isPublishing && (
        <PublishDialog
          name={name}
          document={open.document}
          revision={open.revision}
          onClose={() => setPublishing(false)}
        />
      )}
    </Page>
  )
}

interface PartsProps {
  name: string
  open: EditedDocument
  isPublished: boolean
}

/** The document on the left; its form, test and versions on the right. */
function Parts({ name, open, isPublished }: PartsProps) {
  const form = useLiveForm(open.document)
  return (
    <div className={styles.split}>
      <ToolTabs document={open.document} onChange={open.change} findings={open.findings} />
      <div className={styles.side}>
        <Panel title="Try it">
          <TestPanel name={name} form={form} open={open} />
        </Panel>
        <Panel title="Problems">
          <FindingsList findings={open.findings} />
        </Panel>
        {isPublished && <Versions name={name} />}
      </div>
    </div>
  )
}

function Standing({ source, hasDraft }: { source: ToolSource; hasDraft: boolean }) {
  const { version, isEnabled } = source
  if (version === undefined) return <Tag>Not published</Tag>
  return (
    <>
      <Tag tone="allow">Version {version.number}</Tag>
      {!isEnabled && <Tag tone="ask">Disabled</Tag>}
      {hasDraft && <Tag tone="write">Draft</Tag>}
    </>
  )
}
