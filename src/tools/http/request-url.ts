import { defineTool } from '../../core/define-tool.ts'
import { z } from 'zod'
import { urlSchema } from '../network/url-schema.ts'
import {
  credentialSecrets,
  maxCharsSchema,
  pairs,
  requestOptions,
  responseSchema,
  timeoutSchema,
} from './request-facts.ts'
import { addCredential } from './add-credential.ts'
import { toBody } from './request-body.ts'
import { sendRequest } from './send-request.ts'

/** Sends any request to an API. */
export const requestUrl = defineTool({
  name: 'http.request',
  title: 'Call an API',
  aliases: ['httpRequest'],
  description:
    'Send a request to an HTTP API: POST, PUT, PATCH, DELETE and others, with a JSON, text, form or multipart body. To only read, use http.get. Credentials that an administrator has configured for the host are added by the server: never ask for keys. Every status is a result, so check it. A request may have had its effect even if the response did not arrive: check before sending it again.',
  icon: 'api',
  effect: 'write',
  openWorld: true,
  timeoutMs: 65_000,
  maxOutputBytes: 262_144,
  labels: { reads: ['untrusted'] },
  secrets: [...credentialSecrets],
  optionsSchema: requestOptions,
  inputSchema: z.object({
    method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']).describe('Method'),
    url: urlSchema.describe('Full http(s) address'),
    query: pairs('Parameters that are added to the address'),
    headers: pairs('Headers'),
    json: z.string().max(1_000_000).nullable().describe('A JSON body, as JSON text'),
    text: z.string().max(1_000_000).nullable().describe('A text body'),
    form: pairs('Fields of a form; sent as multipart if there are files'),
    files: z
      .array(
        z.object({
          name: z.string().min(1).max(256).describe('The field of the form'),
          file: z.string().min(1).meta({ format: 'file' }).describe('An uploaded file'),
        }),
      )
      .max(10)
      .nullable()
      .describe('Files of a multipart form'),
    timeoutMs: timeoutSchema,
    maxChars: maxCharsSchema,
  }),
  outputSchema: responseSchema,
  examples: [
    {
      label: 'Create something',
      input: {
        method: 'POST',
        url: 'https://api.example.com/items',
        query: null,
        headers: null,
        json: '{"name":"blue"}',
        text: null,
        form: null,
        files: null,
        timeoutMs: null,
        maxChars: null,
      },
    },
  ],

  // Whether a credential is added shows in the hosts of the settings, never its value.
  preview({ method, url, query, headers, json, text, form, files }, { options, secrets }) {
    const address = new URL(url)
    for (const { name, value } of query ?? []) address.searchParams.append(name, value)
    const hasCredential = addCredential(new URL(url), new Headers(), { options, secrets })
    const body = json ?? text ?? ((form ?? files) ? { form, files } : undefined)
    const after = {
      ...(headers !== null && { headers }),
      ...(body !== undefined && { body }),
      ...(hasCredential && { credential: 'added by the server' }),
    }
    return {
      summary: `Sends ${method} to ${address.host}.`,
      changes: [{ target: `${method} ${address.href}`, after }],
    }
  },

  async execute({ json, text, form, files, ...request }, ctx) {
    const sent = await toBody({ method: request.method, json, text, form, files }, ctx.files)
    return sendRequest({ ...request, ...sent }, ctx)
  },
})
