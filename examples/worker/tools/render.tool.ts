import { randomUUID } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { defineTool, ToolError, z } from 'toolcrib'

/**
 * Work that somebody else does: the tool only puts a job into a folder and returns. The call then
 * waits in storage, for a day at most, until the worker completes it with the token in the job.
 */
export default defineTool({
  name: 'print.render',
  title: 'Render a poster',
  description:
    'Render a text as a poster. It takes a while and is done by the print room: ' +
    'the call waits until the poster is there.',
  icon: 'printer',
  effect: 'write',
  execution: 'external',
  // A worker that has not answered by then never will: the call fails with `timeout`.
  completionMs: 24 * 3_600_000,
  env: ['PRINT_ROOM'],
  inputSchema: z.object({
    text: z.string().min(1).max(2000).describe('What the poster says'),
    as: z
      .enum(['json', 'svg'])
      .nullable()
      .describe('What comes back: lines, or the picture (json)'),
  }),
  examples: [{ label: 'A short one', input: { text: 'Open on Sundays' } }],

  async execute({ text, as }, { completion, callId, env }) {
    const room = env['PRINT_ROOM']
    if (room === undefined) throw new ToolError('secret_missing', 'PRINT_ROOM names no folder')
    const job = { callId, completion, text, as: as ?? 'json' }
    await mkdir(room, { recursive: true })
    // Written under another name first: the worker never finds half a job. The token lets its holder
    // end the call, so nobody else may read the file.
    const draft = path.join(room, `.${randomUUID()}`)
    await writeFile(draft, JSON.stringify(job), { mode: 0o600 })
    await rename(draft, path.join(room, `${callId}.job`))
  },
})
