import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { IconFileCode, IconPlugConnected, IconTools } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useCan } from '../../api/me.ts'
import { Code } from '../../ui/code.tsx'
import styles from './doors.module.css'

const firstTool = `// tools/hello.tool.ts
import { defineTool, z } from 'toolcrib'

export default defineTool({
  name: 'demo.hello',
  title: 'Say hello',
  description: 'Greets someone by name.',
  effect: 'read',
  inputSchema: z.object({ name: z.string() }),
  execute: ({ name }) => ({ greeting: \`Hello, \${name}\` }),
})`

/** Shown without any tools: three ways to get the first. */
export function Doors() {
  const mayConnect = useCan('mcp.manage')
  return (
    <div className={styles.doors}>
      <Door
        icon={<IconFileCode size={20} stroke={1.5} aria-hidden="true" />}
        title="Write a tool"
        text="One file in a tools folder. It appears here within a second of saving."
      >
        <Code text={firstTool} label="First tool" />
      </Door>
      <Door
        icon={<IconPlugConnected size={20} stroke={1.5} aria-hidden="true" />}
        title="Connect an MCP server"
        text="Your policy applies to its tools. Each is pinned, and quarantined if it changes."
      >
        {mayConnect && (
          <div>
            <Button component={Link} to="/mcp-servers" variant="default">
              Go to MCP servers
            </Button>
          </div>
        )}
        <Code
          text="toolcrib mcp add files -- npx @modelcontextprotocol/server-filesystem ."
          label="Command to add a server"
        />
      </Door>
      <Door
        icon={<IconTools size={20} stroke={1.5} aria-hidden="true" />}
        title="Start from a template"
        text="A folder with a configuration, an agent and an example tool to change."
      >
        <Code
          text={'toolcrib init my-crib\ncd my-crib\ntoolcrib dev'}
          label="Commands to create a project"
        />
      </Door>
    </div>
  )
}

interface DoorProps {
  icon: ReactNode
  title: string
  text: string
  children: ReactNode
}

function Door({ icon, title, text, children }: DoorProps) {
  return (
    <section className={styles.door}>
      <h2>
        {icon}
        {title}
      </h2>
      <p>{text}</p>
      {children}
    </section>
  )
}
