/** Why the caller is running. `chat task subagent room webhook` are agents at work, the others are doors. */
export type Runtime =
  | 'chat'
  | 'task'
  | 'subagent'
  | 'room'
  | 'webhook'
  | 'api'
  | 'web'
  | 'mcp'
  | 'cli'
