import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function SkillsScreen() {
  return (
    <Page title="Skills">
      <Empty title="Under construction" />
    </Page>
  )
}
