/** A file of the starter. */
export interface StarterFile {
  path: string
  text: string
}

interface Starter {
  /** Of the folder. */
  name: string
  /** Where npm finds the package: a range of versions, or `file:` and a folder. */
  toolcrib: string
}

/** The files that `init` writes. They run as they are and explain themselves. */
export function starterFiles({ name, toolcrib }: Starter): StarterFile[] {
  return [
    { path: 'package.json', text: manifestOf(name, toolcrib) },
    { path: 'tsconfig.json', text: tsconfig },
    { path: 'toolcrib.config.ts', text: config },
    { path: 'tools/hello.tool.ts', text: tool },
    { path: 'tools/hello.test.ts', text: toolTest },
    { path: '.env.example', text: envExample },
    { path: '.gitignore', text: ignored },
    { path: 'README.md', text: readme },
  ]
}

function manifestOf(name: string, toolcrib: string): string {
  const manifest = {
    name: toPackageName(name),
    private: true,
    type: 'module',
    scripts: {
      dev: 'toolcrib dev',
      start: 'toolcrib start',
      check: 'toolcrib check && toolcrib types && tsc --noEmit',
      test: 'node --test "tools/**/*.test.ts"',
    },
    dependencies: { toolcrib },
    devDependencies: { '@types/node': '^24.0.0', typescript: '^7.0.0' },
    engines: { node: '>=22.18' },
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** In the form npm accepts. */
function toPackageName(folder: string): string {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[-._]+|[-._]+$/g, '')
  return name === '' || name === 'toolcrib' ? 'my-tools' : name.slice(0, 200)
}

const tsconfig = `{
  // Node runs the files as they are and strips their types: these settings refuse what it can't strip.
  "compilerOptions": {
    "target": "ES2024",
    "module": "NodeNext",
    "lib": ["ES2024"],
    "types": ["node"],
    "strict": true,
    "noEmit": true,
    "erasableSyntaxOnly": true,
    "verbatimModuleSyntax": true,
    "allowImportingTsExtensions": true,
    "skipLibCheck": true
  },
  // toolcrib.d.ts, which toolcrib dev keeps current, is one of these.
  "include": ["*.ts", "tools"]
}
`

const config = `import { defineConfig } from 'toolcrib'

// Read by every toolcrib command in this folder. Everything has a default:
// with an empty object here, \`toolcrib dev\` still runs.
export default defineConfig({
  // Folders that are searched for *.tool.ts files.
  tools: ['./tools'],

  // An agent sees only what it is granted. Compare:
  //   toolcrib tools        toolcrib tools --agent greeter        toolcrib explain --agent greeter
  agents: [
    {
      slug: 'greeter',
      model: 'demo', // offline; for example anthropic/…, openai/… once you have a key
      instructions: 'Greet people warmly.',
      tools: { allow: ['hello.*'] },
    },
  ],
})
`

const tool = `import { defineTool, z } from 'toolcrib'

// A tool is facts and one function. Everything above \`execute\` can be listed, shown as a form and
// sent to a model without running anything; policy, limits and the record happen around it.
export default defineTool({
  // pack.verb: tools with the same first part belong together.
  name: 'hello.greet',
  title: 'Greet somebody',
  // Read by models: say when to use it, and what to try first.
  description: 'Write a short greeting for one person. Use it whenever somebody should be welcomed.',
  // read: looks only. write: changes something. destructive: changes what cannot be brought back.
  effect: 'read',

  // Checked before \`execute\` runs. The descriptions become help for models, forms and the command line.
  inputSchema: z.object({
    name: z.string().min(1).max(100).describe('Who is greeted'),
    times: z.int().min(1).max(5).default(1).describe('How often'),
  }),
  // Checked after it ran.
  outputSchema: z.object({ greeting: z.string() }),

  // \`toolcrib check\` proves that examples still fit.
  examples: [{ label: 'Greet Ada', input: { name: 'Ada', times: 2 } }],

  async execute({ name, times }) {
    return { greeting: Array.from({ length: times }, () => \`Hello \${name}!\`).join(' ') }
  },
})
`

const toolTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestCrib, runTool } from 'toolcrib/testing'
import greet from './hello.tool.ts'

// One tool by itself: input parsed and output checked as in a real call.
test('greets as often as asked', async () => {
  const { output } = await runTool(greet, { name: 'Ada', times: 2 })
  assert.deepEqual(output, { greeting: 'Hello Ada! Hello Ada!' })
})

// The whole pipeline, in memory.
test('refuses input that does not fit', async () => {
  const crib = await createTestCrib({ tools: [greet] })
  const result = await crib.call(greet, { name: '' })
  assert.equal(result.error?.code, 'invalid_input')
  await crib.close()
})
`

const envExample = `# Copy to .env and fill in; .env stays out of git.
# Keys of the model providers that your agents use:
# ANTHROPIC_API_KEY=
# OPENAI_API_KEY=
`

const ignored = `# Records, keys and secrets of the embedded store.
.toolcrib/
.env
node_modules/
`

const readme = `# My tools

\`npm install\` once, then:

| command | does |
|---|---|
| \`npm run dev\` | runs the server; files in \`tools/\` are reloaded as you save them |
| \`npm run check\` | checks every tool (names, schemas, examples, portability) and all types |
| \`npm test\` | runs the tests beside the tools |
| \`npx toolcrib tools\` | lists the tools; with a name, everything about one |
| \`npx toolcrib call hello.greet --name Ada\` | calls a tool; its flags come from its input schema |
| \`npx toolcrib events --follow\` | shows what happens, as it happens |

To add a tool, write another \`tools/<anything>.tool.ts\` that exports it. There is no list to keep.

\`toolcrib dev\` writes \`toolcrib.d.ts\`: with it, \`crib.call('hello.greet', …)\` completes and is checked. Commit it.
`
