import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { grantOperations } from './grant-operations.ts'
import type { agentOperations } from './operations.ts'
import { agentColumns, agentFacts, warningsOf } from './terminal.ts'

const shown = { record: agentFacts, remarks: warningsOf }
const agent = { slug: { flag: 'agent' } } as const
const fields = {
  without: [
    'settings',
    'hooks.log',
    'hooks.silent',
    'permissions',
    'memoryEnabled',
    'knowledgeEnabled',
    'providerTools',
    'version',
  ],
  options: {
    ...agent,
    name: { summary: 'what people call it' },
    model: { summary: 'demo, or <provider>/<model>' },
    instructions: { value: 'TEXT', summary: 'its system prompt' },
    profile: {
      summary: 'a shipped or custom profile, or none',
      nullAs: 'none',
    },
    allow: { value: 'PATTERN', summary: 'grant these tools; may repeat' },
    deny: { value: 'PATTERN', summary: 'deny these tools; may repeat' },
    confirm: { value: 'PATTERN', summary: 'require approval for these; may repeat' },
    autonomy: {
      value: 'LEVEL',
      summary:
        'conservative: every call with an effect needs approval; standard and autonomous: only if a rule or the tool requires it',
    },
    toolMode: {
      value: 'MODE',
      summary: 'how it finds tools: a full list, a search, or code that calls them',
    },
    shortNames: { summary: 'offer file and shell tools as bash, read, write, edit, glob, grep' },
    workspaceMode: {
      value: 'MODE',
      summary:
        "may its tools change files of new workspaces: read-only, ask or free; '' for the default",
      nullAs: '',
    },
    subagentWorkspace: {
      value: 'WHICH',
      summary: 'agents that it starts share its workspace, or get their own',
    },
    attachmentsToWorkspace: { summary: 'put files of messages into its workspace' },
    description: {
      value: 'TEXT',
      summary: "questions other agents can ask it, as the tool agent:<slug>; '' removes the tool",
      nullAs: '',
    },
    maxSteps: { summary: "model calls in one turn; '' for the default of 15", nullAs: '' },
    maxTurnTokens: { summary: "tokens one turn may use; '' for no limit", nullAs: '' },
  },
  rest: {
    flag: 'input',
    summary: 'all other fields, as in the API: JSON, @file, or - for stdin',
  },
} as const

/** `toolcrib agents`. */
export const agentCommand: CommandGroup<typeof agentOperations & typeof grantOperations> = {
  name: 'agents',
  one: 'agent',
  summary: 'List, create, change and delete agents, and grant them tools.',
  commands: {
    listAgents: {
      verb: 'list',
      options: { q: { value: 'WORDS' } },
      list: agentColumns,
      empty: ({ q }) =>
        q === undefined
          ? "No agents. → toolcrib agents create NAME --allow '*.read'"
          : 'No agent matches. → toolcrib agents',
    },
    findAgent: { verb: 'show', words: ['slug'], options: agent, ...shown },
    createAgent: { verb: 'create', words: ['slug'], ...fields, ...shown },
    changeAgent: { verb: 'set', words: ['slug'], ...fields, needsOneOf: 'any', ...shown },
    addGrant: [
      {
        verb: 'grant',
        words: ['slug', 'pattern'],
        options: agent,
        sets: { kind: 'allow' },
        ...shown,
      },
      {
        verb: 'deny',
        words: ['slug', 'pattern'],
        options: agent,
        sets: { kind: 'deny' },
        ...shown,
      },
    ],
    turnOffTool: {
      verb: 'off',
      words: ['slug', 'name'],
      options: { ...agent, name: { flag: 'tool' } },
      ...shown,
    },
    deleteAgent: { verb: 'delete', words: ['slug'], options: agent },
  },
  notes: [
    'Patterns: billing.find, billing.*, group:fs, pack:web, *. A deny always wins.',
    'Change agents of the configuration there; you can add grants to them here.',
  ],
  examples: [
    'toolcrib agents create support --profile minimal --allow billing.find',
    "toolcrib agents grant support 'billing.*'",
  ],
}
