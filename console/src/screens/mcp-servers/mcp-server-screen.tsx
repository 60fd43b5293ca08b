import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'

export function McpServerScreen() {
  return (
    <Page title="MCP server">
      <Empty title="Under construction" />
    </Page>
  )
}
