import { createHmac, randomUUID } from 'node:crypto'
import { defineTool, ToolError, z } from 'toolcrib'

/** Secrets of the Standard Webhooks kind carry their bytes in base64 behind this prefix. */
const secretPrefix = 'whsec_'

/** Signs a webhook: the secret goes in, only what it proves comes out. */
export default defineTool({
  name: 'demo.signed-webhook',
  title: 'Sign a webhook',
  description:
    'Sign a payload with HMAC-SHA256 as Standard Webhooks does, and give back the headers to send with it. ' +
    'Use it right before a webhook is sent, with the body exactly as it will be sent: one changed space breaks the signature. ' +
    'It sends nothing itself and never shows the secret.',
  icon: 'webhook',
  effect: 'read',
  secrets: [{ key: 'webhook_secret', label: 'OutboundWebhook signing secret' }],
  // For `toolcrib secrets test webhook_secret`: says what is wrong, before the first webhook is refused.
  checkSecrets: { webhook_secret: checkSigningSecret },
  inputSchema: z.object({
    body: z
      .string()
      .min(1)
      .max(262_144)
      .describe('The body exactly as it will be sent, often JSON'),
    messageId: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/)
      .nullable()
      .describe('Id of the message, the same for every repetition of it (a random one)'),
    timestamp: z
      .int()
      .min(0)
      .max(253_402_300_799)
      .nullable()
      .describe('When it is sent, in seconds since 1970 (now)'),
  }),
  outputSchema: z.object({
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    signature: z
      .string()
      .describe('Version and base64 of the HMAC, as in the webhook-signature header'),
    bytes: z.int().describe('Length of the body in UTF-8'),
  }),
  examples: [
    {
      label: 'A message with a fixed id and time',
      input: {
        body: '{"type":"invoice.paid","id":"in_1"}',
        messageId: 'msg_1',
        timestamp: 1_767_225_600,
      },
    },
    {
      label: 'A message now',
      input: { body: '{"type":"ping"}', messageId: null, timestamp: null },
    },
  ],
  sections: [{ key: 'headers', label: 'Headers to send', type: 'table' }],
  view: {
    sections: [
      {
        path: 'headers',
        columns: [
          { key: 'name', format: 'code' },
          { key: 'value', format: 'code' },
        ],
      },
      { path: 'signature', hidden: true },
      {
        path: 'bytes',
        kind: 'summary',
        title: 'Signed',
        columns: [{ key: 'bytes', format: 'bytes' }],
      },
    ],
  },

  execute({ body, messageId, timestamp }, { secrets }) {
    const id = messageId ?? `msg_${randomUUID()}`
    const seconds = timestamp ?? Math.floor(Date.now() / 1000)
    const key = signingKey(secrets['webhook_secret'] ?? '')
    const signature = `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
    return {
      headers: [
        { name: 'webhook-id', value: id },
        { name: 'webhook-timestamp', value: String(seconds) },
        { name: 'webhook-signature', value: signature },
      ],
      signature,
      bytes: Buffer.byteLength(body),
    }
  },
})

/** Standard Webhooks asks for 24 to 64 bytes. */
function checkSigningSecret(secret: string): string | undefined {
  const { length } = signingKey(secret)
  if (length >= 24 && length <= 64) return undefined
  return `It holds ${length} bytes; Standard Webhooks asks for 24 to 64. Make one with: openssl rand -base64 32`
}

/** An empty key would make signatures that anybody can make, so it counts as missing. */
function signingKey(secret: string): Buffer {
  const key = secret.startsWith(secretPrefix)
    ? Buffer.from(secret.slice(secretPrefix.length), 'base64')
    : Buffer.from(secret)
  if (key.length > 0) return key
  throw new ToolError('secret_missing', 'The secret webhook_secret holds no usable key.', {
    fix: `Set it to any text, or to ${secretPrefix} followed by base64.`,
  })
}
