import { usageError } from '../parse-options.ts'

/** The kinds of tools that are documents, in the order of help. */
export const documentKinds = ['http', 'prompt', 'task', 'composition', 'code'] as const
export type DocumentKind = (typeof documentKinds)[number]

export function parseKind(text: string): DocumentKind {
  const kind = documentKinds.find((one) => one === text)
  if (kind !== undefined) return kind
  throw usageError(`${text} is not a kind of tool.`, `Kinds: ${documentKinds.join(', ')}.`)
}

const specs: Readonly<Record<DocumentKind, string>> = {
  http: `  kind: http
  method: GET
  # The host is literal. References are allowed after it, and in query, headers and body.
  url: https://api.example.com/items/{{input.id}}
  # headers: { authorization: 'Bearer secret:example_key' }
  # pick: body.items`,
  prompt: `  kind: prompt
  mode: direct # or skill, agent
  template: |
    Summarize in one sentence:
    {{input.text}}
  # With outputSchema, the answer is an object of that schema.`,
  task: `  kind: task
  to: requester # or role:operator, user:anna@example.com, agent:support
  template: |
    Please check {{input.id}}
    Everything they need to know.
  # dueIn: 2d
  # wait: false`,
  composition: `  kind: composition
  # Each step is a call. after: [] starts it at once; without it, it follows the one before.
  steps:
    - id: first
      tool: flow.map
      input: { value: '{{input.id}}' }
    # - { id: ask, tool: flow.ask, input: { title: 'Continue?' }, when: { field: input.id, operator: exists } }
  output: '{{steps.first.output}}'`,
  code: `  kind: code
  language: ts
  # The body of an async function. It has input, tools and console.log; no network, no files.
  source: |
    return { id: input.id }`,
}

/** A first document of a kind, with comments. It passes all checks as it is. */
export function templateOf(kind: DocumentKind, name: string): string {
  const field = kind === 'prompt' ? 'text' : 'id'
  return `name: ${name}
# Models read this: what it does, and when to call it.
description: Describe what ${name} does, and when to call it.
inputSchema:
  type: object
  properties:
    ${field}:
      type: string
      description: Describe the field
  required: [${field}]
# outputSchema: { type: object, properties: {} }
# approval: always
spec:
${specs[kind]}
`
}
