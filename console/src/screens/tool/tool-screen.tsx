import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function ToolScreen() {
  return (
    <Page title="Tool">
      <Empty title="Under construction" />
    </Page>
  )
}
