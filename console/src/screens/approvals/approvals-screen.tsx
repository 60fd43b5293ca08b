import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function ApprovalsScreen() {
  return (
    <Page title="Approvals">
      <Empty title="Under construction" />
    </Page>
  )
}
