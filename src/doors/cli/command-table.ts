import type { Command, RawCommand } from './command.ts'
import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { ByHand } from './operations/to-command.ts'

export interface CommandEntry {
  summary: string
  /** Loaded on demand: starting the program must not cost what one command needs. */
  load(): Promise<Command | RawCommand>
  /** The feature whose operations it offers. */
  group?(): Promise<CommandGroup>
}

/** Every command by name, in the order in which help lists them. */
export const commandTable: Readonly<Record<string, CommandEntry>> = {
  init: {
    summary: 'write a small starter into a folder',
    load: async () => (await import('./commands/init.ts')).initCommand,
  },
  dev: {
    summary: 'run the server and reload tools as their files change',
    load: async () => (await import('./commands/serve.ts')).devCommand,
  },
  start: {
    summary: 'run the server',
    load: async () => (await import('./commands/serve.ts')).startCommand,
  },
  check: {
    summary: 'check all tools without running them',
    load: async () => (await import('./commands/tools/check.ts')).checkCommand,
  },
  test: {
    summary: "run the tests in the tools' definitions",
    load: async () => (await import('./commands/tools/test.ts')).testCommand,
  },
  eval: {
    summary: 'give evals to models, and check which tools they call',
    load: async () => (await import('./commands/evals/eval.ts')).evalCommand,
  },
  types: {
    summary: 'write the types of all tools for TypeScript',
    load: async () => (await import('./commands/tools/types.ts')).typesCommand,
  },
  tools: {
    summary: 'list the tools, or show one',
    load: async () => (await import('./commands/tools/tools.ts')).toolsCommand,
  },
  call: {
    summary: 'call a tool',
    load: async () => (await import('./commands/calls/call.ts')).callCommand,
  },
  calls: fromFeature(
    'list calls, show one, cancel or undo it',
    async () => (await import('../../features/calls/command.ts')).callCommand,
    async () => (await import('./commands/calls/show-call.ts')).callsByHand,
  ),
  chat: {
    summary: 'chat with an agent',
    load: async () => (await import('./commands/calls/chat.ts')).chatCommand,
  },
  runs: {
    summary: 'give agents tasks, and list their runs',
    load: async () => (await import('./commands/calls/runs.ts')).runsCommand,
  },
  approvals: fromFeature(
    'list and show approvals',
    async () => (await import('../../features/approvals/command.ts')).approvalCommand,
    async () => (await import('./commands/calls/approvals.ts')).approvalsByHand,
  ),
  approve: {
    summary: 'approve a pending call',
    load: async () => (await import('./commands/calls/decide.ts')).approveCommand,
  },
  reject: {
    summary: 'reject a pending call',
    load: async () => (await import('./commands/calls/decide.ts')).rejectCommand,
  },
  questions: fromFeature(
    'list and show questions to people, and put them to others',
    async () => (await import('../../features/questions/command.ts')).questionCommand,
    async () => (await import('./commands/calls/questions.ts')).questionsByHand,
  ),
  answer: {
    summary: 'answer a question',
    load: async () => (await import('./commands/calls/answer.ts')).answerCommand,
  },
  decline: {
    summary: 'decline to answer a question',
    load: async () => (await import('./commands/calls/questions.ts')).declineCommand,
  },
  events: {
    summary: 'read or follow events',
    load: async () => (await import('./commands/calls/events.ts')).eventsCommand,
  },
  audit: {
    summary: 'search, export and verify the audit log',
    load: async () => (await import('./commands/audit/audit.ts')).auditCommand,
  },
  usage: fromFeature(
    'show usage by day, tool, agent or person',
    async () => (await import('../../features/usage/command.ts')).usageCommand,
  ),
  explain: {
    summary: 'show who can use which tool, and why',
    load: async () => (await import('./commands/tools/explain.ts')).explainCommand,
  },
  agents: fromFeature(
    'create agents and grant them tools',
    async () => (await import('../../features/agents/command.ts')).agentCommand,
    async () => (await import('./commands/agents/agents.ts')).agentsByHand,
  ),
  policy: {
    summary: 'set what all agents may use, and simulate changes',
    load: async () => (await import('./commands/agents/policy.ts')).policyCommand,
  },
  labels: fromFeature(
    'label what tools read and affect, for the data-flow rule',
    async () => (await import('../../features/data-flow/command.ts')).labelCommand,
  ),
  mcp: fromFeature(
    'serve tools to MCP clients on stdio, configure clients, and add MCP servers',
    async () => (await import('../../features/mcp-servers/command.ts')).mcpCommand,
    async () => (await import('./commands/mcp/mcp.ts')).mcpByHand,
  ),
  apis: fromFeature(
    'import APIs from OpenAPI documents as tools',
    async () => (await import('../../features/apis/command.ts')).apisCommand,
    async () => (await import('./commands/apis/apis.ts')).apisByHand,
  ),
  keys: fromFeature(
    'list, create, rotate and revoke API keys, and find leaked ones',
    async () => (await import('../../features/keys/command.ts')).keyCommand,
    async () => (await import('./commands/secrets/keys.ts')).keysByHand,
  ),
  secrets: fromFeature(
    'list, set, test and import secrets',
    async () => (await import('../../features/secrets/command.ts')).secretCommand,
    async () => (await import('./commands/secrets/secrets.ts')).secretsByHand,
  ),
  keyring: fromFeature(
    'show and rotate the master keys that seal the secrets',
    async () => (await import('../../features/secrets/command.ts')).keyringCommand,
    async () => (await import('./commands/secrets/keyring.ts')).keyringByHand,
  ),
  skills: fromFeature(
    'install skills and enable them for agents',
    async () => (await import('../../features/skills/command.ts')).skillCommand,
    async () => (await import('./commands/agents/skills.ts')).skillsByHand,
  ),
  schedules: fromFeature(
    'run tools on a schedule',
    async () => (await import('../../features/schedules/command.ts')).scheduleCommand,
  ),
  tenants: fromFeature(
    'list, create and change tenants',
    async () => (await import('../../features/tenants/command.ts')).tenantCommand,
  ),
  members: fromFeature(
    'list, invite and change members and their roles',
    async () => (await import('../../features/sign-ins/command.ts')).memberCommand,
  ),
  whoami: fromFeature(
    'show who you are to the server',
    async () => (await import('../../features/people/command.ts')).whoAmICommand,
  ),
  'sign-in-link': fromFeature(
    'create a one-time link to sign in with',
    async () => (await import('../../features/sign-ins/command.ts')).signInLinkCommand,
  ),
  uploads: fromFeature(
    'list, show, add and delete files for tools',
    async () => (await import('../../features/uploads/command.ts')).uploadCommand,
    async () => (await import('./commands/uploads/uploads.ts')).uploadsByHand,
  ),
  workspaces: fromFeature(
    'list, change and remove the folders in which tools work',
    async () => (await import('../../features/workspaces/command.ts')).workspaceCommand,
    async () => (await import('./commands/workspaces/workspaces.ts')).workspacesByHand,
  ),
  limits: fromFeature(
    'set limits and see how much is used',
    async () => (await import('../../features/limits/command.ts')).limitCommand,
  ),
  sandbox: fromFeature(
    'show whether the sandbox for programs holds, and check it again',
    async () => (await import('../../features/sandbox/command.ts')).sandboxCommand,
  ),
  network: fromFeature(
    'set the hosts that tools may reach, and explain a verdict',
    async () => (await import('../../features/network/command.ts')).networkCommand,
  ),
  processes: fromFeature(
    'list, read and end background processes of a workspace',
    async () => (await import('../../features/sandbox/command.ts')).processCommand,
  ),
  doctor: {
    summary: 'check the installation and suggest fixes',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  backup: {
    summary: 'back up an embedded store into a file while it runs, and verify backups',
    load: async () => (await import('./commands/backup.ts')).backupCommand,
  },
  restore: {
    summary: 'create a data folder from a backup',
    load: async () => (await import('./commands/restore.ts')).restoreCommand,
  },
  migrate: {
    summary: 'move an embedded store to PostgreSQL',
    load: async () => (await import('./commands/migrate.ts')).migrateCommand,
  },
  bench: {
    summary: 'measure this installation',
    load: async () => (await import('./commands/bench.ts')).benchCommand,
  },
  completion: {
    summary: 'print a completion script for your shell',
    load: async () => (await import('./commands/completion.ts')).completionCommand,
  },
}

/** A command of a feature, whose verbs come from operations. */
function fromFeature(
  summary: string,
  group: () => Promise<CommandGroup>,
  byHand?: () => Promise<ByHand>,
): CommandEntry {
  const load = async () => {
    const { toCommand } = await import('./operations/to-command.ts')
    return toCommand(await group(), await byHand?.())
  }
  return { summary, load, group }
}
