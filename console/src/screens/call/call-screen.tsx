import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function CallScreen() {
  return (
    <Page title="Call">
      <Empty title="Under construction" />
    </Page>
  )
}
