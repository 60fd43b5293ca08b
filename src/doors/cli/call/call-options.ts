import type { OptionSpecs } from '../command.ts'
import { everywhereOptions } from '../parse-options.ts'

/** Options of `call` itself, in addition to the flags of each tool. */
export const callOptions: OptionSpecs = {
  input: {
    type: 'string',
    value: 'JSON|@FILE|-',
    summary: 'the input as JSON, from a file or stdin; flags override it',
  },
  agent: { type: 'string', value: 'AGENT', summary: 'call as this agent' },
  skill: { type: 'string', value: 'SKILL', summary: 'with this skill of the agent active' },
  session: { type: 'string', value: 'ID', summary: 'the conversation this call belongs to' },
  timeout: { type: 'string', value: 'TIME', summary: 'stop after 500ms, 30s, 5m …' },
  'idempotency-key': {
    type: 'string',
    value: 'KEY',
    summary: 'repeating the same key and input returns the same call',
  },
  async: { type: 'boolean', summary: 'print the id of the call and leave it running' },
  delay: { type: 'string', value: 'TIME', summary: 'queue it, to start after 30s, 5m, 2h …' },
  priority: { type: 'string', value: 'N', summary: 'queue it; from -10 to 10, higher goes first' },
  preview: { type: 'boolean', summary: 'show what the call would do, without making it' },
  watch: {
    type: 'boolean',
    summary: 'follow the call to its end, also while a person decides; also call --watch <callId>',
  },
  full: { type: 'boolean', summary: 'print the whole output of a call whose output was cut' },
}

/** All options of a call's line that do not belong to the tool. */
export const callLineOptions: OptionSpecs = { ...everywhereOptions, ...callOptions }

/** Options that name the server: they must be known before the tool's fields can be read. */
export const connectionOptions = ['url', 'data', 'config', 'tools', 'database'] as const
