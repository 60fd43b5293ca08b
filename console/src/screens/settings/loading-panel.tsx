import { LoadingFacts } from '../../ui/loading.tsx'
import { Panel } from '../../ui/page.tsx'

/** The first panel of a section while it loads. */
export function LoadingPanel({ title, rows }: { title: string; rows: number }) {
  return (
    <Panel title={title}>
      <LoadingFacts rows={rows} />
    </Panel>
  )
}
