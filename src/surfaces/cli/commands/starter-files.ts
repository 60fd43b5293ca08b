/** What `init` writes. Everything in it runs as it stands and says why it is there. */
export const starterFiles: readonly { path: string; text: string }[] = [
  {
    path: 'toolcrib.config.ts',
    text: `// Read by every toolcrib command in this folder. Everything has a default:
// with an empty object here, \`toolcrib dev\` still runs.
export default {
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
}
`,
  },
  {
    path: 'tools/hello.tool.ts',
    text: `import { defineTool, z } from 'toolcrib'

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
`,
  },
  {
    path: '.gitignore',
    text: '# Records, keys and secrets of the embedded store.\n.toolcrib/\nnode_modules/\n',
  },
  {
    path: 'README.md',
    text: `# My tools

| command | does |
|---|---|
| \`toolcrib dev\` | runs the server; files in \`tools/\` are reloaded as you save them |
| \`toolcrib check\` | looks over every tool: names, schemas, examples, portability |
| \`toolcrib tools\` | lists what there is; with a name, everything about one tool |
| \`toolcrib call hello.greet --name Ada\` | uses a tool; its flags come from its input schema |
| \`toolcrib events --follow\` | shows what happens, as it happens |

To add a tool, write another \`tools/<anything>.tool.ts\` that exports it. There is no list to keep.
`,
  },
]
