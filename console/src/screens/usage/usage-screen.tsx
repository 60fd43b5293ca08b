import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function UsageScreen() {
  return (
    <Page title="Usage">
      <Empty title="Under construction" />
    </Page>
  )
}
