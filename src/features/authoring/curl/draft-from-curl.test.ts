import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkHttp } from '../kinds/http/check-http.ts'
import { httpSpec } from '../kinds/http/http-spec.ts'
import { toolDocument } from '../model/tool-document.ts'
import { draftFromCurl } from './draft-from-curl.ts'

/** The draft, which must always be one that can be saved. */
function draft(text: string) {
  const made = draftFromCurl(text)
  expect(toolDocument.safeParse(made.document).error).toBeUndefined()
  expect(httpSpec.safeParse(made.document.spec).error).toBeUndefined()
  expect(checkHttp(made.document).filter(({ severity }) => severity === 'error')).toEqual([])
  return { ...made, spec: made.document.spec, inputs: made.document.inputSchema['properties'] }
}

test('a command of documentation becomes a tool', () => {
  const { document, spec, secrets, inputs } =
    draft(`curl https://api.stripe.com/v1/customers/cus_9s6XKzkNRiz8i3/notes?expand=all \\
    -H "Authorization: Bearer sk_test_4eC39HqLyjWDarjtT1zdp7dc" \\
    -H 'User-Agent: curl/8' -H 'Accept: */*' \\
    -d '{"text": "It'"'"'s here", "amount": 5, "meta": {"by": "Ann"}, "tags": ["a"]}' -H 'Content-Type: application/json'`)
  expect(document.name).toBe('stripe.create-notes')
  expect(spec).toEqual({
    kind: 'http',
    method: 'POST',
    url: 'https://api.stripe.com/v1/customers/{{input.customer_id}}/notes',
    query: { expand: '{{input.expand}}' },
    headers: { authorization: 'Bearer secret:stripe_token' },
    body: {
      text: '{{input.text}}',
      amount: '{{input.amount}}',
      meta: { by: '{{input.by}}' },
      tags: ['a'],
    },
  })
  expect(secrets).toEqual(['stripe_token'])
  expect(inputs).toMatchObject({ amount: { type: 'integer' }, by: { type: 'string' } })
  expect(document.examples).toEqual([
    {
      label: 'From the command',
      input: {
        customer_id: 'cus_9s6XKzkNRiz8i3',
        expand: 'all',
        text: "It's here",
        amount: 5,
        by: 'Ann',
      },
    },
  ])
  expect(JSON.stringify(document)).not.toContain('4eC39')
})

test('Chrome copies for a POSIX shell and for the Windows command prompt alike', () => {
  const posix = draft(String.raw`curl 'https://app.test/api/items' \
  -H 'accept: application/json' \
  -H 'sec-fetch-mode: cors' \
  -b 'session=abcdefghijkl' \
  --data-raw $'{"note":"Don\'t \u0041"}' \
  --compressed`)
  const windows = draft(
    'curl ^"https://app.test/api/items^" ^\r\n  -H ^"accept: application/json^" ^\r\n  -b ^"session=abcdefghijkl^" ^\r\n  --data-raw ^"^{^\\^"note^\\^":^\\^"Don\'t A^\\^"^}^" ^\r\n --compressed',
  )
  expect(posix.spec).toEqual({
    kind: 'http',
    method: 'POST',
    url: 'https://app.test/api/items',
    headers: { accept: 'application/json', cookie: 'secret:app_cookie' },
    body: { note: '{{input.note}}' },
  })
  expect(windows.spec).toEqual(posix.spec)
  expect(windows.document.examples).toEqual(posix.document.examples)
  expect(posix.document.examples?.[0]?.input).toEqual({ note: "Don't A" })
})

test('-G, --data-urlencode, joined options and a missing scheme', () => {
  const { spec, document } = draft(
    `curl -sSLG example.com/search --data-urlencode "q=a b&c" -d limit=5 -XGET`,
  )
  expect(spec).toMatchObject({
    method: 'GET',
    url: 'https://example.com/search',
    query: { q: '{{input.q}}', limit: '{{input.limit}}' },
  })
  expect(spec.body).toBeUndefined()
  expect(document.examples?.[0]?.input).toEqual({ q: 'a b&c', limit: '5' })
})

test('forms, files and text bodies', () => {
  expect(
    draft(`curl -F name=Ann -F 'photo=@a.png;type=image/png' https://a.test/up`),
  ).toMatchObject({
    spec: { bodyType: 'multipart', body: { name: '{{input.name}}', photo: '{{input.photo}}' } },
    notes: [expect.stringContaining('photo') as string],
  })
  expect(draft(`curl -d a=1 -d b=2 https://a.test/x`).spec).toMatchObject({
    bodyType: 'form',
    body: { a: '{{input.a}}', b: '{{input.b}}' },
  })
  expect(
    draft(`curl --data-binary @body.xml -H 'content-type: text/xml' https://a.test/x`).spec,
  ).toMatchObject({
    bodyType: 'text',
    body: '{{input.body}}',
    headers: { 'content-type': 'text/xml' },
  })
  expect(draft(`curl --json '{"a":{"b":[1,{"c":"{{x}}"}]}}' https://a.test/x`).spec.body).toEqual({
    a: { b: [1, { c: String.raw`\{{x}}` }] },
  })
})

test('user and password, variables, keys of the query and secrets of a body', () => {
  const basic = draft(`curl -u ann:geheim https://ann2:x@a.test/x?api_key=12345678`)
  expect(basic.spec).toMatchObject({
    url: 'https://a.test/x',
    query: { api_key: 'secret:a_api_key' },
    headers: { authorization: 'Basic secret:a_basic_auth' },
  })
  const shell = draft(
    `curl "https://a.test/users/$USER_ID" -H "X-Api-Key: \${MY_KEY}" -H 'x-other: $5'`,
  )
  expect(shell.spec).toMatchObject({
    url: 'https://a.test/users/{{input.user_id}}',
    headers: { 'x-api-key': 'secret:my_key', 'x-other': '$5' },
  })
  const login = draft(`curl https://a.test/login -d '{"user":"ann","password":"geheim123"}'`)
  expect(login.spec.body).toEqual({ user: '{{input.user}}', password: '{{input.password}}' })
  expect(JSON.stringify([basic, shell, login])).not.toContain('geheim')
})

test.each([
  ['wget https://a.test', 'is not a cURL command'],
  ['', 'is not a cURL command'],
  ['curl', 'has no address'],
  ["curl 'https://a.test", 'is not closed'],
  ['curl "https://a.test', 'is not closed'],
  ["curl $'https", 'is not closed'],
])('%j is refused', (text, reason) => {
  expect(() => draftFromCurl(text)).toThrow(reason)
})

test('nothing after the command is read, and nothing is run', () => {
  expect(draft('curl https://a.test/x; rm -rf /').spec.url).toBe('https://a.test/x')
  expect(draft('$ curl https://a.test/x | jq .\ncurl https://b.test').spec.url).toBe(
    'https://a.test/x',
  )
  expect(draft('curl https://a.test/`whoami`').spec.method).toBe('GET')
})

test('any text gives a draft or an error with a reason', () => {
  const words = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '-H',
      '-d',
      '-X',
      '"',
      "'",
      "$'",
      '\\',
      '^',
      '@',
      'a: b',
      '{"a":1}',
      '-F',
      '{{',
      '$X',
    ),
  )
  fc.assert(
    fc.property(fc.array(words), (parts) => {
      try {
        draftFromCurl(`curl https://a.test/${parts.join(' ')}`)
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_input' })
      }
    }),
  )
})
