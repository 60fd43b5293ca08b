/** All runtimes. `chat task subagent room webhook` are agents at work, the others are doors. */
export const runtimes = [
  'chat',
  'task',
  'subagent',
  'room',
  'webhook',
  'api',
  'web',
  'mcp',
  'cli',
] as const

/** Why the caller is running. */
export type Runtime = (typeof runtimes)[number]
