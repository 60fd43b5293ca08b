import { LoadingFacts } from '../../ui/loading.tsx'
import { Panel } from '../../ui/page.tsx'

/** The first panel of a section before its facts are there. */
export function LoadingPanel({ title, rows }: { title: string; rows: number }) {
  return (
    <Panel title={title}>
      <LoadingFacts rows={rows} />
    </Panel>
  )
}
