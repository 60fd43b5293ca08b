import { expect, test } from 'vitest'
import type { OfferedTool } from '../../../core/offer/tool-offer.ts'
import { checkParamHeaders } from './param-headers.ts'

const region = { type: 'string', 'x-mcp-header': 'Region' }
const tool = { inputSchema: { type: 'object', properties: { region } } } as unknown as OfferedTool
const body = { id: 1, params: { arguments: { region: 'eu' } } }

test.each([
  [{}, 'The header Mcp-Param-Region is missing: it repeats the argument region'],
  [{ 'mcp-param-region': 'us' }, 'The header Mcp-Param-Region differs from the argument region'],
])('a call with the headers %j gets the error that is wrong with it', async (headers, message) => {
  const refusal = checkParamHeaders(tool, new Headers(headers), body)
  expect(await refusal?.json()).toMatchObject({ id: 1, error: { code: -32_020, message } })
})

test('a call whose headers agree is let through', () => {
  const headers = new Headers({ 'mcp-param-region': 'eu' })
  expect(checkParamHeaders(tool, headers, body)).toBeUndefined()
})
