import type { Tenant } from '../../../core/rules/tenant.ts'
import type { Command, CommandContext } from '../command.ts'
import { exit } from '../exit-codes.ts'
import { showFacts } from '../output/facts.ts'
import { toSafeLine } from '../output/safe-text.ts'
import { showTable } from '../output/table.ts'
import { usageError } from '../parse-options.ts'
import { findAction } from './find-action.ts'

/** `toolcrib tenants`: the organisations on this server. */
export const tenantsCommand: Command = {
  summary: 'List, create, rename, suspend, resume and delete tenants.',
  usage: [
    'tenants [list]',
    'tenants create <slug> [--name NAME]',
    'tenants show <slug>',
    'tenants rename <slug> --name NAME',
    'tenants suspend <slug> [--reason TEXT]',
    'tenants resume <slug>',
    'tenants delete <slug> --confirm <slug>',
  ],
  options: {
    name: { type: 'string', value: 'NAME', summary: 'what it is called' },
    reason: { type: 'string', value: 'TEXT', summary: 'why it is suspended; everybody reads it' },
    confirm: { type: 'string', value: 'SLUG', summary: 'the slug once more, to delete it' },
  },
  maxWords: 2,
  reads: ['', 'list', 'show'],
  firstWord: ['list', 'create', 'show', 'rename', 'suspend', 'resume', 'delete'],
  notes: [
    'With --tenant SLUG every other command acts in that tenant: toolcrib --tenant acme members add …',
    'Deleting removes everything a tenant has, for ever. It is gone at once, its data while a server runs.',
  ],
  examples: [
    "toolcrib tenants create acme --name 'Acme Ltd'",
    "toolcrib tenants suspend acme --reason 'not paid'",
  ],
  run: (context) => {
    const actions = { list, create, show, rename, suspend, resume, delete: remove }
    return findAction('tenants', actions, context)
  },
}

async function list({ connect, screen }: CommandContext): Promise<number> {
  const { client } = await connect()
  const items = await client.all<Tenant>('/tenants', { limit: 500 })
  if (screen.isJson) {
    screen.json({ items })
    return exit.ok
  }
  showTable(screen, {
    columns: [
      { title: 'slug', style: (cell) => screen.style('cyan', cell) },
      { title: 'name', shrinkTo: 10 },
      { title: 'state', shrinkTo: 10 },
      { title: 'made' },
    ],
    rows: items.map((tenant) => [
      toSafeLine(tenant.slug),
      toSafeLine(tenant.name),
      toSafeLine(stateOf(tenant)),
      toSafeLine(originOf(tenant)),
    ]),
  })
  return exit.ok
}

function stateOf({ status, reason }: Tenant): string {
  return reason === undefined ? status : `${status}: ${reason}`
}

function originOf({ isDeclared, createdAt }: Tenant): string {
  return isDeclared ? 'declared' : createdAt.slice(0, 10)
}

async function create(context: CommandContext): Promise<number> {
  const { connect, options, screen } = context
  const slug = slugOf(context)
  const { client } = await connect()
  const body = { slug, name: options.text('name') }
  const tenant = await client.read<Tenant>('/tenants', { method: 'POST', body })
  if (screen.isJson) screen.json(tenant)
  else {
    screen.out(`${screen.style('green', '✓')} ${toSafeLine(tenant.slug)} is there`)
    screen.out(`→ toolcrib --tenant ${toSafeLine(slug)} members add EMAIL --role owner`)
  }
  return exit.ok
}

async function show(context: CommandContext): Promise<number> {
  const { connect, screen } = context
  const path = pathOf(context)
  const { client } = await connect()
  const tenant = await client.read<Tenant>(path)
  if (screen.isJson) screen.json(tenant)
  else {
    showFacts(screen, tenant.slug, [
      ['name', tenant.name],
      ['state', stateOf(tenant)],
      ['made', originOf(tenant)],
    ])
  }
  return exit.ok
}

async function rename(context: CommandContext): Promise<number> {
  const name = context.options.text('name')
  if (name === undefined) throw usageError('Which name?', 'Write --name NAME.')
  return change(context, { name }, `is called ${name}`)
}

async function suspend(context: CommandContext): Promise<number> {
  const reason = context.options.text('reason')
  return change(context, { status: 'suspended', reason }, 'is suspended; nothing of it is lost')
}

async function resume(context: CommandContext): Promise<number> {
  return change(context, { status: 'active' }, 'is active')
}

async function change(context: CommandContext, body: object, now: string): Promise<number> {
  const { connect, screen } = context
  const path = pathOf(context)
  const { client } = await connect()
  const tenant = await client.read<Tenant>(path, { method: 'PATCH', body })
  if (screen.isJson) screen.json(tenant)
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(tenant.slug)} ${toSafeLine(now)}`)
  return exit.ok
}

async function remove(context: CommandContext): Promise<number> {
  const { connect, options, screen } = context
  const slug = slugOf(context)
  const confirm = options.text('confirm')
  if (confirm !== slug) {
    throw usageError(
      `This deletes ${slug} with everything of its, for ever.`,
      `Say so: toolcrib tenants delete ${slug} --confirm ${slug}`,
    )
  }
  const path = pathOf(context)
  const { client, kind } = await connect()
  await client.send(path, { method: 'DELETE', query: { confirm } })
  if (screen.isJson) screen.json({ slug, deleted: true })
  else screen.out(`${screen.style('green', '✓')} ${toSafeLine(slug)} is gone`)
  if (!screen.isJson && kind === 'local')
    screen.err('! No server runs here; what it had is removed while one does: toolcrib start')
  return exit.ok
}

function slugOf({ words }: CommandContext): string {
  const slug = words[1]
  if (slug !== undefined) return slug
  throw usageError('Which tenant?', 'toolcrib tenants lists their slugs.')
}

function pathOf(context: CommandContext): string {
  return `/tenants/${encodeURIComponent(slugOf(context))}`
}
