import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function SettingsScreen() {
  return (
    <Page title="Settings">
      <Empty title="Under construction" />
    </Page>
  )
}
