import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function CallsScreen() {
  return (
    <Page title="Calls">
      <Empty title="Under construction" />
    </Page>
  )
}
