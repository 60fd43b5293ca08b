interface Facts {
  origin: string
  /** Empty for none. */
  agent: string
  key: string | undefined
}

interface ProgramGuide {
  slug: string
  title: string
  remark: string
  snippet(facts: Facts): string
}

/** Ways to connect other than MCP clients. */
export const programs: readonly ProgramGuide[] = [
  {
    slug: 'ai-sdk',
    title: 'AI SDK',
    remark: 'Tools for generateText and streamText. Always pass toolApproval as well.',
    snippet: ({ origin, agent, key }) => `import { generateText, isStepCount } from 'ai'
import { connectCrib } from 'toolcrib/ai-sdk'

const crib = connectCrib({
  url: '${origin}',
  key: ${key === undefined ? "process.env.TOOLCRIB_KEY ?? ''" : `'${key}'`},${agent === '' ? '' : `\n  agent: '${agent}',`}
})
const { tools, toolApproval } = await crib.toolSet({ sessionId: 'chat-17', model })

await generateText({ model, tools, toolApproval, stopWhen: isStepCount(15), messages })`,
  },
  {
    slug: 'curl',
    title: 'curl',
    remark: 'All routes are described under /docs.',
    snippet: ({ origin, agent, key }) => {
      const authorization = `-H "Authorization: Bearer ${key ?? '$TOOLCRIB_KEY'}"`
      return `# list the tools
curl ${authorization} ${origin}/api/v1/tools${agent === '' ? '' : `?agent=${agent}`}

# call one of them
curl ${authorization} -H 'Content-Type: application/json' \\
  -d '{"input":{}${agent === '' ? '' : `,"agent":"${agent}"`}}' \\
  ${origin}/api/v1/tools/<name>/calls`
    },
  },
  {
    slug: 'cli',
    title: 'Command line',
    remark:
      'On the server’s own machine you need no key: the command finds the server through its data folder.',
    snippet: ({ origin, agent, key }) => `export TOOLCRIB_KEY=${key ?? 'crib_…'}
toolcrib --url ${origin} tools
toolcrib --url ${origin} call ${agent === '' ? '' : `--agent ${agent} `}<name> --input '{}'`,
  },
]
