import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function AuditScreen() {
  return (
    <Page title="Audit log">
      <Empty title="Under construction" />
    </Page>
  )
}
