import { expect, test } from 'vitest'
import { runTool } from 'toolcrib/testing'
import signedWebhook from './signed-webhook.tool.ts'

// The example of the Standard Webhooks specification.
const published = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  input: {
    body: '{"test": 2432232314}',
    messageId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1_614_265_330,
  },
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}
const withSecret = (secret: string) => ({ secrets: { webhook_secret: secret } })

test('the published example gets the published signature', async () => {
  expect(
    (await runTool(signedWebhook, published.input, withSecret(published.secret))).output,
  ).toEqual({
    headers: [
      { name: 'webhook-id', value: 'msg_p5jXN8AQM9LWM0D4loKWxJek' },
      { name: 'webhook-timestamp', value: '1614265330' },
      { name: 'webhook-signature', value: published.signature },
    ],
    signature: published.signature,
    bytes: 20,
  })
})

test('a plain text is used as the key as it is', async () => {
  const input = { body: 'x', messageId: 'm', timestamp: 0 }
  const { signature } = (await runTool(signedWebhook, input, withSecret('key'))).output
  // printf 'm.0.x' | openssl dgst -sha256 -hmac key -binary | base64
  expect(signature).toBe('v1,6jh/fTprPkx0k/eh/fU/S/kPHU6Ssjkan3/vmZrstY8=')
})

test('id and time are made up when they are not given', async () => {
  const before = Math.floor(Date.now() / 1000)
  const first = (await runTool(signedWebhook, { body: 'é' }, withSecret('key'))).output
  const second = (await runTool(signedWebhook, { body: 'é' }, withSecret('key'))).output
  expect(first.bytes).toBe(2)
  expect(first.headers[0]?.value).toMatch(/^msg_[0-9a-f-]{36}$/)
  expect(first.headers[0]?.value).not.toBe(second.headers[0]?.value)
  expect(Number(first.headers[1]?.value)).toBeGreaterThanOrEqual(before)
})

test('the secret is nowhere in the answer, in no encoding', async () => {
  const secret = 'a very secret signing key'
  const text = JSON.stringify(
    (await runTool(signedWebhook, published.input, withSecret(secret))).output,
  )
  for (const encoding of ['utf8', 'base64', 'hex'] as const) {
    expect(text).not.toContain(Buffer.from(secret).toString(encoding))
  }
})

test('an empty key signs nothing', async () => {
  for (const secret of ['', 'whsec_', 'whsec_!!']) {
    await expect(runTool(signedWebhook, { body: 'x' }, withSecret(secret))).rejects.toMatchObject({
      code: 'secret_missing',
    })
  }
})

test('an id that could forge a header or shift the signed parts is refused', async () => {
  for (const messageId of ['a.1', 'a\r\nx: y', '']) {
    await expect(
      runTool(signedWebhook, { body: 'x', messageId }, withSecret('key')),
    ).rejects.toMatchObject({ code: 'invalid_input' })
  }
})
