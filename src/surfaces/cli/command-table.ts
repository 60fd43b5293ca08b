import type { Command, RawCommand } from './command.ts'

export interface CommandEntry {
  summary: string
  /** Loaded when it is asked for: starting the program must not cost what one command needs. */
  load(): Promise<Command | RawCommand>
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
  tools: {
    summary: 'list the tools, or show one',
    load: async () => (await import('./commands/tools.ts')).toolsCommand,
  },
  call: {
    summary: 'use a tool',
    load: async () => (await import('./commands/call.ts')).callCommand,
  },
  calls: {
    summary: 'list calls, and cancel them',
    load: async () => (await import('./commands/calls.ts')).callsCommand,
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
  explain: {
    summary: 'say who sees which tool, and why not',
    load: async () => (await import('./commands/explain.ts')).explainCommand,
  },
  labels: {
    summary: 'say what tools read and affect, for the data-flow rule',
    load: async () => (await import('./commands/labels.ts')).labelsCommand,
  },
  keys: {
    summary: 'list, create and revoke API keys',
    load: async () => (await import('./commands/keys.ts')).keysCommand,
  },
  secrets: {
    summary: 'list, set and delete secrets',
    load: async () => (await import('./commands/secrets.ts')).secretsCommand,
  },
  schedules: {
    summary: 'call tools when their time comes',
    load: async () => (await import('./commands/schedules.ts')).schedulesCommand,
  },
  doctor: {
    summary: 'say what is missing and the way out',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand,
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
