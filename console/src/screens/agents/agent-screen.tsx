import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function AgentScreen() {
  return (
    <Page title="Agent">
      <Empty title="Under construction" />
    </Page>
  )
}
