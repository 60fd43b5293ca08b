import { expect, test } from 'vitest'
import { createToolIndex } from './tool-index.ts'
import { toTerms } from './to-terms.ts'
import { offered } from './offered.fixture.ts'

const tools = [
  offered('billing.find', ['Find an invoice', 'Look up an invoice by its number or customer.']),
  offered('billing.refund', ['Refund an invoice', 'Give money back for a paid invoice.']),
  offered('mail.send', ['Send an e-mail', 'Write to somebody.'], {
    recipient: { type: 'string', description: 'Address of the customer' },
  }),
  offered('file.read', ['Read a file', 'The text of a file in the workspace.']),
  offered('mcp:github:createPullRequest', ['Create pull request', 'Opens a pull request.']),
]
const index = createToolIndex(tools)
const search = (query: string) => index.search(query, 10).map(({ tool }) => tool.name)

test('words are split, and endings removed', () => {
  expect(toTerms('createPullRequests for the Café invoices, running_files')).toEqual([
    'creat',
    'pull',
    'request',
    'cafe',
    'invoic',
    'run',
    'file',
  ])
})

test('a word and its forms are equal', () => {
  for (const forms of [
    'invoice invoices',
    'create creating created creates',
    'file files',
    'run running',
  ]) {
    expect({ forms, size: new Set(toTerms(forms)).size }).toEqual({ forms, size: 1 })
  }
})

test('the best match comes first', () => {
  expect(search('refund an invoice')).toEqual(['billing.refund', 'billing.find'])
  expect(search('pull request')[0]).toBe('mcp:github:createPullRequest')
  expect(search('send mail to customer')[0]).toBe('mail.send')
})

test('the names and descriptions of inputs are searched, too', () => {
  expect(search('recipient')).toEqual(['mail.send'])
})

test('examples and outputs are searched, with less weight than the tool itself', () => {
  const plain = offered('ledger.read', ['Read', 'Reads the ledger.'])
  const shown = {
    ...offered('report.make', ['Make', 'Makes something.']),
    examples: [{ label: 'Usual', input: { region: 'Lisbon', text: `${'x '.repeat(500)}zebra` } }],
    outputSchema: {
      type: 'object',
      properties: { turnover: { type: 'number', description: 'As the ledger has it' } },
    },
  } as const
  const names = (query: string) =>
    createToolIndex([plain, shown])
      .search(query, 5)
      .map(({ tool }) => tool.name)
  expect(names('lisbon')).toEqual(['report.make'])
  expect(names('region')).toEqual(['report.make'])
  expect(names('turnover')).toEqual(['report.make'])
  expect(names('ledger')).toEqual(['ledger.read', 'report.make'])
  expect(names('zebra')).toEqual([])
})

test('prefixes of words and small typos find the tool', () => {
  expect(search('refu')).toEqual(['billing.refund'])
  expect(search('invocie')).toEqual(['billing.find', 'billing.refund'])
})

test('words of scripts without spaces are found within a sentence', () => {
  const spoken = [
    offered('order.refund', ['退款', '为订单办理退款，金额原路返回。']),
    offered('server.restart', ['再起動', '指定したサーバーを再起動します。']),
    offered('parcel.track', ['ติดตาม', 'ติดตามพัสดุของลูกค้า']),
    offered('mail.send', ['메일', '고객에게 메일을 보냅니다 API']),
  ]
  const found = (query: string) =>
    createToolIndex(spoken)
      .search(query, 5)
      .map(({ tool }) => tool.name)
  expect(found('办理退款')).toEqual(['order.refund'])
  expect(found('サーバー 再起動')).toEqual(['server.restart'])
  expect(found('พัสดุ')).toEqual(['parcel.track'])
  expect(found('메일')).toEqual(['mail.send'])
  expect(found('用api发送')).toEqual(['mail.send'])
})

test('a query without matches finds nothing, and so does one of stop words', () => {
  expect(search('quantum')).toEqual([])
  expect(search('the of and')).toEqual([])
  expect(search('')).toEqual([])
})

test('a limit keeps the best, and a huge query is cut', () => {
  expect(index.search('invoice', 1).map(({ tool }) => tool.name)).toEqual(['billing.find'])
  expect(index.search('invoice '.repeat(100_000), 5)).toHaveLength(2)
})
