import { Notice } from '../../ui/notice.tsx'
import { Decision } from '../../ui/quarantine/decision.tsx'
import { Quarantined } from '../../ui/quarantine/quarantined.tsx'
import { Findings } from './findings.tsx'
import type { McpTool } from './server-queries.ts'
import { useDecide } from './use-decide-tool.ts'

interface QuarantinedToolProps {
  server: string
  tool: McpTool
}

/** A tool that can't be called until someone has reviewed it. */
export function QuarantinedTool({ server, tool }: QuarantinedToolProps) {
  const decide = useDecide(server, tool)
  const isSuspicious = tool.findings.length > 0
  return (
    <Quarantined
      name={tool.name}
      reason={tool.reason}
      differences={tool.differences}
      warning={isSuspicious ? <Warning tool={tool} /> : undefined}
      decision={tool.hash !== undefined && <Decision decide={decide} isSuspicious={isSuspicious} />}
    />
  )
}

function Warning({ tool }: { tool: McpTool }) {
  return (
    <Notice tone="deny" title="This tool’s text tries to instruct the model" isApart>
      A model reads this text as if you had written it. Reject the tool unless you know why its
      server contains this.
      <Findings tool={tool} />
    </Notice>
  )
}
