import { expect, test } from 'vitest'
import type { CommandGroup } from '../../../core/operations/command-group.ts'
import type { scheduleOperations } from '../../../features/schedules/operations.ts'
import { createClient } from '../client/http-client.ts'
import { parseOptions } from '../parse-options.ts'
import { createFakeApi, json, type FakeApi } from '../testing/fake-api.ts'
import { toCommand } from './to-command.ts'

const group: CommandGroup<typeof scheduleOperations> = {
  name: 'alarms',
  one: 'alarm',
  summary: 'Everything by default.',
  commands: {
    listSchedules: { verb: 'list' },
    findSchedule: { verb: 'show', words: ['id'] },
    createSchedule: { verb: 'create', words: ['name'] },
    updateSchedule: { verb: 'change', words: ['id'] },
    deleteSchedule: { verb: 'delete', words: ['id'], asks: (word) => `Delete ${word}?` },
  },
}
const command = toCommand(group)
const one = {
  id: 'sch_1',
  name: 'digest',
  tool: 'mail.digest',
  input: { to: 'ada' },
  state: 'active',
  retries: 3,
}

test('a noun without columns and texts has list, show, create, change and delete', async () => {
  const api = createFakeApi({
    'GET /schedules': ({ query }) =>
      json(query['after'] === undefined ? { items: [one], next: 'sch_1' } : { items: [one] }),
    'GET /schedules/sch_1': () => json(one),
    'POST /schedules': () => json(one),
    'PATCH /schedules/sch_1': () => json({ ...one, retries: 5 }),
    'DELETE /schedules/sch_1': () => new Response(null, { status: 204 }),
  })
  const list = await run(api, 'list')
  expect(list[0]?.split(/ {2,}/).slice(0, 3)).toEqual(['id', 'tenant', 'name'])
  expect(list.slice(1)).toHaveLength(2)
  expect(await run(api, 'list', '--limit', '1')).toHaveLength(2)
  expect(await run(api, 'show', 'sch_1')).toEqual([
    'sch_1',
    'name     digest',
    'tool     mail.digest',
    'input    {"to":"ada"}',
    'retries  3',
    'state    active',
  ])
  await run(api, 'create', 'digest', '--tool', 'mail.digest', '--every', '1h')
  const changed = await run(api, 'change', 'sch_1', '--retries', '5')
  expect(changed).toContain('retries  5')
  expect(await run(api, 'delete', 'sch_1', '--yes')).toEqual(['✓ Deleted sch_1'])
  expect(api.seen.map(({ method, query, body }) => [method, query, body])).toEqual([
    ['GET', { limit: '500' }, undefined],
    ['GET', { limit: '500', after: 'sch_1' }, undefined],
    ['GET', { limit: '1' }, undefined],
    ['GET', {}, undefined],
    ['POST', {}, { name: 'digest', tool: 'mail.digest', when: { every: '1h' } }],
    ['PATCH', {}, { retries: 5 }],
    ['DELETE', {}, undefined],
  ])
})

test('missing and superfluous words are refused before anything is sent', async () => {
  const api = createFakeApi({})
  await expect(run(api, 'show')).rejects.toThrow('The id is missing.')
  await expect(run(api, 'create', 'digest')).rejects.toThrow('--tool is missing.')
  await expect(run(api, 'show', 'a', 'b')).rejects.toThrow('b is one word too many.')
  await expect(run(api, 'delete', 'a')).rejects.toThrow('needs a terminal')
  await expect(run(api, 'erase', 'a')).rejects.toThrow('no action erase')
  expect(api.seen).toEqual([])
})

test('help and completion know every verb with its options', () => {
  expect(command.usage).toEqual([
    'alarms [list]',
    'alarms show|change|delete <id>',
    'alarms create <name> --tool TOOL',
  ])
  expect(command.firstWord).toEqual(['list', 'show', 'create', 'change', 'delete'])
  expect(command.reads).toEqual(['', 'list', 'show'])
  expect(Object.keys(command.optionsOf?.['list'] ?? {})).toEqual(['limit'])
  expect(Object.keys(command.optionsOf?.['delete'] ?? {})).toEqual(['yes'])
})

/** Runs one line and returns what people read. */
async function run(api: FakeApi, ...args: string[]): Promise<string[]> {
  const lines: string[] = []
  const plain = (_format: unknown, text: string) => text
  const { words, options } = parseOptions(args, command.options)
  const client = createClient({ url: 'http://crib.local', key: 'key', fetch: api.fetch })
  await command.run({
    words,
    options,
    environment: { stdin: {} },
    screen: {
      isJson: false,
      width: Infinity,
      style: plain,
      out: (line: string) => lines.push(line),
    },
    connect: () => Promise.resolve({ client, kind: 'remote' }),
  } as never)
  return lines
}
