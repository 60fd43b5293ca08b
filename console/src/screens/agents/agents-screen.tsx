import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function AgentsScreen() {
  return (
    <Page title="Agents">
      <Empty title="Under construction" />
    </Page>
  )
}
