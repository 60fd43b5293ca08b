import type { Member } from '../../../core/people/member.ts'
import type { Command, CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { showFacts } from '../output/facts.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { showTable } from '../output/table.ts'
import { usageError } from '../parse-options.ts'
import { findAction } from './find-action.ts'
import { invitations, invite, uninvite } from './invitations.ts'

/** `toolcrib members`: the people of a tenant. */
export const membersCommand: Command = {
  summary: 'List, add, change and remove members.',
  usage: [
    'members [list]',
    'members add <email> [--name NAME] [--role ROLE] [--permission PERMISSION…]',
    'members show <id>',
    'members change <id> [--name NAME] [--role ROLE] [--permission …] [--suspend | --resume]',
    'members remove <id>',
    'members invite <email> [--role ROLE] [--permission PERMISSION…]',
    'members invitations',
    'members uninvite <id>',
  ],
  options: {
    name: { type: 'string', value: 'NAME', summary: 'what they are called' },
    role: {
      type: 'string',
      value: 'ROLE',
      summary: 'owner, admin, operator, member (normal), viewer, auditor, or a configured one',
    },
    permission: {
      type: 'string',
      value: 'PERMISSION',
      multiple: true,
      summary: 'beside those of the role; may repeat, and replaces those there were',
    },
    'no-permissions': { type: 'boolean', summary: 'take away all beside those of the role' },
    suspend: { type: 'boolean', summary: 'nobody signs in or acts as them' },
    resume: { type: 'boolean', summary: 'they may again' },
  },
  maxWords: 2,
  reads: ['', 'list', 'show', 'invitations'],
  firstWord: ['list', 'add', 'show', 'change', 'remove', 'invite', 'invitations', 'uninvite'],
  notes: ['Nobody hands out more than they hold. Only an owner makes, changes or removes owners.'],
  examples: [
    'toolcrib members add ada@example.com --name Ada --role operator',
    'toolcrib members invite ada@example.com --role operator',
    'toolcrib --tenant acme members add bob@acme.example --role owner',
  ],
  run: (context) => findAction('members', actions, context),
}

const actions = { list, add, show, change, remove, invite, invitations, uninvite }

async function list({ connect, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const items = await client.all<Member>('/members', { limit: 500 })
  if (screen.isJson) {
    screen.json({ items })
    return exit.ok
  }
  if (items.length === 0) {
    screen.out('No members. → toolcrib members add EMAIL --role owner')
    return exit.ok
  }
  showTable(screen, {
    columns: [
      { title: 'id', style: (cell) => screen.style('cyan', cell) },
      { title: 'name', shrinkTo: 10 },
      { title: 'email', shrinkTo: 12 },
      { title: 'role', shrinkTo: 8 },
      { title: 'state' },
    ],
    rows: items.map((member) => [
      toSafeLine(member.id),
      toSafeLine(member.name),
      toSafeLine(member.email ?? ''),
      toSafeLine([member.role, ...member.permissions].join(' ')),
      toSafeLine(member.status),
    ]),
  })
  return exit.ok
}

async function add({ connect, options, screen, words }: CommandContext): Promise<number> {
  const email = words[1]
  if (email === undefined)
    throw usageError('Whom?', 'Write toolcrib members add ada@example.com --role operator')
  const { client } = await connect()
  const member = await client.read<Member>('/members', {
    method: 'POST',
    body: {
      email,
      name: options.text('name'),
      role: options.text('role'),
      permissions: permissionsOf(options),
    },
  })
  if (screen.isJson) screen.json(member)
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(member.id)} ${toWords(member)}`)
  return exit.ok
}

async function show(context: CommandContext): Promise<number> {
  const { connect, screen } = context
  const path = pathOf(context)
  const { client } = await connect()
  const member = await client.read<Member>(path)
  if (screen.isJson) screen.json(member)
  else {
    showFacts(screen, member.name, [
      ['id', member.id],
      ['email', member.email],
      ['role', member.role],
      ['permissions', member.permissions.join(' ')],
      ['state', member.status],
      ['since', member.createdAt.slice(0, 10)],
    ])
  }
  return exit.ok
}

async function change(context: CommandContext): Promise<number> {
  const { connect, options, screen } = context
  const path = pathOf(context)
  const body = {
    name: options.text('name'),
    role: options.text('role'),
    permissions: options.flag('no-permissions') ? [] : permissionsOf(options),
    status: statusOf(options),
  }
  if (Object.values(body).every((value) => value === undefined)) {
    throw usageError('What is to change?', 'Say --name, --role, --permission, --suspend, --resume.')
  }
  const { client } = await connect()
  const member = await client.read<Member>(path, { method: 'PATCH', body })
  if (screen.isJson) screen.json(member)
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(member.id)} ${toWords(member)}`)
  return exit.ok
}

function statusOf(options: CommandContext['options']): Member['status'] | undefined {
  const [isSuspended, isResumed] = [options.flag('suspend'), options.flag('resume')]
  if (isSuspended && isResumed) throw usageError('--suspend and --resume are one or the other.')
  if (isSuspended) return 'suspended'
  return isResumed ? 'active' : undefined
}

function permissionsOf(options: CommandContext['options']): string[] | undefined {
  const given = options.texts('permission').flatMap((text) => text.split(','))
  return given.length === 0 ? undefined : given
}

function toWords({ name, role, permissions, status }: Member): string {
  const more = permissions.length === 0 ? '' : ` with ${permissions.join(', ')}`
  const state = status === 'active' ? '' : `, ${status}`
  return toSafeLine(`${name} is ${role}${more}${state}`)
}

async function remove(context: CommandContext): Promise<number> {
  const { connect, screen, words } = context
  const path = pathOf(context)
  const { client } = await connect()
  await client.send(path, { method: 'DELETE' })
  if (screen.isJson) screen.json({ id: words[1], removed: true })
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(words[1] ?? '')} is gone`)
  return exit.ok
}

function pathOf({ words }: CommandContext): string {
  const id = words[1]
  if (id !== undefined) return `/members/${encodeURIComponent(id)}`
  throw usageError('Which member?', 'toolcrib members lists their ids.')
}
