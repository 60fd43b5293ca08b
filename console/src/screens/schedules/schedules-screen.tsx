import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function SchedulesScreen() {
  return (
    <Page title="Schedules">
      <Empty title="Under construction" />
    </Page>
  )
}
