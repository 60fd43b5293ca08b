import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function ToolsScreen() {
  return (
    <Page title="Tools">
      <Empty title="Under construction" />
    </Page>
  )
}
