import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function SecretsScreen() {
  return (
    <Page title="Secrets">
      <Empty title="Under construction" />
    </Page>
  )
}
