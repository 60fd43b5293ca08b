import type { Command, RawCommand } from './command.ts'
import type { CommandGroup } from '../../core/operations/command-group.ts'
import type { ByHand } from './operations/to-command.ts'

export interface CommandEntry {
  summary: string
  /** Loaded when it is asked for: starting the program must not cost what one command needs. */
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
    summary: 'look over all tools without running any',
    load: async () => (await import('./commands/check.ts')).checkCommand,
  },
  types: {
    summary: 'write the types of all tools for TypeScript',
    load: async () => (await import('./commands/types.ts')).typesCommand,
  },
  tools: {
    summary: 'list the tools, or show one',
    load: async () => (await import('./commands/tools.ts')).toolsCommand,
  },
  call: {
    summary: 'use a tool',
    load: async () => (await import('./commands/call.ts')).callCommand,
  },
  calls: {
    summary: 'list calls, show one, and cancel them',
    load: async () => (await import('./commands/calls.ts')).callsCommand,
  },
  chat: {
    summary: 'talk to an agent',
    load: async () => (await import('./commands/chat.ts')).chatCommand,
  },
  runs: {
    summary: 'set agents tasks, and see what came of them',
    load: async () => (await import('./commands/runs.ts')).runsCommand,
  },
  approvals: {
    summary: 'list what waits for a person',
    load: async () => (await import('./commands/approvals.ts')).approvalsCommand,
  },
  approve: {
    summary: 'say yes to a call that waits',
    load: async () => (await import('./commands/decide.ts')).approveCommand,
  },
  reject: {
    summary: 'say no to a call that waits',
    load: async () => (await import('./commands/decide.ts')).rejectCommand,
  },
  events: {
    summary: 'read what happened',
    load: async () => (await import('./commands/events.ts')).eventsCommand,
  },
  audit: {
    summary: 'look through what happened, copy it, check it',
    load: async () => (await import('./commands/audit.ts')).auditCommand,
  },
  usage: {
    summary: 'say what was used, day by day',
    load: async () => (await import('./commands/usage.ts')).usageCommand,
  },
  explain: {
    summary: 'say who sees which tool, and why not',
    load: async () => (await import('./commands/explain.ts')).explainCommand,
  },
  agents: {
    summary: 'make agents and grant them tools',
    load: async () => (await import('./commands/agents.ts')).agentsCommand,
  },
  policy: {
    summary: 'decide what all agents may use, and try it out',
    load: async () => (await import('./commands/policy.ts')).policyCommand,
  },
  labels: fromFeature(
    'label what tools read and affect, for the data-flow rule',
    async () => (await import('../../features/data-flow/command.ts')).labelCommand,
  ),
  mcp: {
    summary: 'serve the tools to MCP clients on stdio, and configure clients',
    load: async () => (await import('./commands/mcp.ts')).mcpCommand,
  },
  keys: {
    summary: 'list, create, rotate and revoke API keys, and find leaked ones',
    load: async () => (await import('./commands/keys.ts')).keysCommand,
  },
  secrets: {
    summary: 'list, set, test and import secrets',
    load: async () => (await import('./commands/secrets.ts')).secretsCommand,
  },
  keyring: {
    summary: 'show and rotate the master keys that seal the secrets',
    load: async () => (await import('./commands/keyring.ts')).keyringCommand,
  },
  skills: {
    summary: 'install skills and give them to agents',
    load: async () => (await import('./commands/skills.ts')).skillsCommand,
  },
  schedules: fromFeature(
    'run tools on a schedule',
    async () => (await import('../../features/schedules/command.ts')).scheduleCommand,
  ),
  tenants: fromFeature(
    'the organisations on this server',
    async () => (await import('../../features/tenants/command.ts')).tenantCommand,
  ),
  members: fromFeature(
    'the people of a tenant, and their roles',
    async () => (await import('../../features/sign-ins/command.ts')).memberCommand,
  ),
  whoami: {
    summary: 'say who you are to the server',
    load: async () => (await import('./commands/whoami.ts')).whoamiCommand,
  },
  'sign-in-link': {
    summary: 'make a one-time link to sign in with',
    load: async () => (await import('./commands/sign-in-link.ts')).signInLinkCommand,
  },
  limits: fromFeature(
    'set limits and see how much is used',
    async () => (await import('../../features/limits/command.ts')).limitCommand,
  ),
  doctor: {
    summary: 'say what is missing and the way out',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
  },
  backup: {
    summary: 'copy an embedded crib into a file while it runs, and check such files',
    load: async () => (await import('./commands/backup.ts')).backupCommand,
  },
  restore: {
    summary: 'make a data folder from a backup',
    load: async () => (await import('./commands/restore.ts')).restoreCommand,
  },
  migrate: {
    summary: 'move an embedded crib to PostgreSQL',
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
