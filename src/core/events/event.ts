import type { Principal } from '../kernel/call.ts'
import type { JsonValue } from '../kernel/tool.ts'

/** Every type of event there is, with what it means. Append only: a published type never changes its meaning. */
export const eventMeanings = {
  'call.requested': 'Somebody asked for a call; its input and the decision about it',
  'call.queued': 'The call is stored and will run after its answer',
  'call.started': 'The tool begins to run; again for every retry',
  'call.output': 'Partial output or progress while it runs',
  'call.waiting': 'The call waits for a person or for the outside',
  'call.completed': 'The call ended well; its output when small',
  'call.failed': 'The call ended with an error',
  'call.denied': 'The call was not allowed; the tool did not run',
  'call.cancelled': 'The call was cancelled',
  'tool.registered': 'A tool appeared while the server ran',
  'tool.changed': 'A tool was replaced by another version of itself',
  'tool.removed': 'A tool is gone',
  'tool.quarantined': 'A tool was set aside, with the reason',
  'tool.file_failed': 'A changed tool file does not load; its tools stay as they were',
  'tool.file_loaded': 'A tool file that did not load does now, or is gone',
  'secret.written': 'A secret was set or replaced; never its value',
  'secret.changed': 'What is noted of a secret was changed: what it is for, when it expires',
  'secret.deleted': 'A secret was removed',
  'key.created': 'An API key was made',
  'key.revoked': 'An API key was revoked',
  'key.token_issued': 'A short-lived token was issued for a visitor, by the key of their site',
  'key.rotated': 'An API key was given a new secret; the old one works no more, or until when',
  'policy.changed': 'A policy was changed',
  'agent.created': 'An agent was made',
  'agent.changed': 'An agent was changed: which of its parts',
  'agent.deleted': 'An agent was deleted with its grants',
  'grant.added': 'An agent was granted or denied a pattern, by which source',
  'grant.removed': 'A source no longer holds a grant',
  'grant.renamed': 'A tool has another name; what named it follows',
  'skill.installed': 'A version of a skill was installed',
  'skill.removed': 'A skill was removed',
  'skill.enabled': 'An agent was given a version of a skill',
  'skill.disabled': 'A skill was taken off an agent',
  'tool.gone': 'A tool is on no server any more; what names it is kept for a while',
  'tool.returned': 'A tool that was gone is back',
  'tenant.created': 'A tenant was made',
  'tenant.changed': 'A tenant was renamed, suspended or taken up again',
  'tenant.deleted': 'A tenant was deleted with everything of its',
  'member.invited': 'Somebody was invited; never the link',
  'member.added': 'Somebody was made a member without an invitation',
  'member.joined': 'Somebody accepted an invitation or signed in for the first time',
  'member.changed': 'Role, permissions, name or state of a member were changed',
  'member.removed': 'A member was removed',
  'member.signed_in': 'A member signed in, and how',
  'member.sign_in_failed': 'Somebody tried to sign in as a member and could not',
  'member.signed_out': 'A member signed out, here or everywhere',
  'member.uninvited': 'An invitation was withdrawn',
  'member.link_created': 'A one-time sign-in link was made for a member; never the link',
  'keyring.rotated': 'Secrets were wrapped under another master key',
  'call.refused': 'A tool was asked for that this caller does not see; explain knows why',
  'limit.reached': 'A limit or budget was used up; told once in its period',
  'session.flagged': 'A session has seen untrusted or private data for the first time',
  'session.cleared': 'A person took the flags off a session: which it had',
  'audit.exported': 'Somebody took a copy of the audit log',
  'backup.created':
    'Somebody took a backup of all records: its size, and how long others had to wait',
  'schedule.created': 'A schedule was made: what it calls and when',
  'schedule.changed': 'A schedule was changed, paused or taken up again',
  'schedule.deleted': 'A schedule was deleted with its history',
  'schedule.fired': 'The time of a schedule came, or somebody asked for a run; or it was left out',
  'schedule.disabled': 'A schedule was switched off, with the reason',
  'approval.requested': 'A person is asked about the call: why, and until when',
  'approval.granted': 'Somebody said yes; `missing` is how many more have to',
  'approval.rejected': 'Somebody said no, with the reason',
  'approval.expired': 'Nobody decided in time',
  'approval.remembered': 'A yes holds for like calls from now on: which, and until when',
  'approval.rule_revoked': 'A yes that held for like calls holds no longer',
  'approval.notice_failed': 'The system outside could not be told that a call waits',
  'completion.late': 'A worker outside reported on a call that had settled without it',
  'group.sealed': 'No more calls can join the group',
  'group.settled': 'The group is sealed and all its calls have settled',
  'group.continued': 'What waited for the group has gone on',
  'mcp.server.added': 'An MCP server was added; never its credentials',
  'mcp.server.changed': 'An MCP server was changed: which of its parts',
  'mcp.server.removed': 'An MCP server was removed with its pins and connections',
  'mcp.server.tested':
    'Somebody tried an MCP server out with secrets: where they went, and their names',
  'mcp.server.tool_accepted': 'Somebody accepted a tool of an MCP server as it is: its hash',
  'mcp.server.tool_rejected': 'Somebody set a tool of an MCP server aside: its hash',
  'mcp.server.signed_in': 'Somebody signed in to an MCP server; never the tokens',
  'mcp.server.signed_out': 'A sign-in to an MCP server was given up',
  'mcp.server.connected': 'An MCP server was reached for the first time, or again after a failure',
  'mcp.server.failed': 'An MCP server could not be reached, and why; it is tried again',
  'mcp.server.ended': 'The process or connection of an MCP server ended by itself',
  'mcp.server.listed': 'The tools of an MCP server are others than before: how many there are',
  'mcp.server.tool_quarantined': 'A tool of an MCP server was set aside, with the reason',
  'turn.started': 'An agent was asked something, or set a task',
  'turn.waiting': 'The agent waits for calls that it has made; what its model calls cost until now',
  'turn.completed': 'The agent has answered; what its model calls used',
  'turn.failed': 'The agent could not answer, and why',
  'turn.cancelled': 'Somebody stopped the agent',
  'conversation.deleted': 'A conversation was deleted with everything in it',
  'upload.stored': 'Somebody handed in a file: its name, type, size and digest',
  'upload.deleted': 'A file that was handed in was deleted, or nothing used it any more',
} as const

export type EventType = keyof typeof eventMeanings

export const eventTypes = Object.keys(eventMeanings) as [EventType, ...EventType[]]

/** An event before the store has numbered it. */
export interface NewEvent {
  type: EventType
  /** Milliseconds since the epoch. */
  at: number
  data: JsonValue
}

/** What is written to the event log together with a change, or not at all. */
export interface ToldEvent {
  principal: Principal
  event: NewEvent
}

/** One thing that happened. `id` is an opaque cursor to read on from, `seq` the number within its call, from 1, without gaps. */
export interface CribEvent {
  id: string
  seq: number
  at: string
  tenant: string
  callId?: string
  sessionId?: string
  agent?: string
  principal: Principal
  type: EventType
  data: JsonValue
}
