import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function ChatScreen() {
  return (
    <Page title="Chat">
      <Empty title="Under construction" />
    </Page>
  )
}
