import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function McpServersScreen() {
  return (
    <Page title="MCP servers">
      <Empty title="Under construction" />
    </Page>
  )
}
