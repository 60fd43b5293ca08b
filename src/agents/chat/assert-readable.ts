import type { Caller } from '../../core/kernel/call.ts'
import { ToolError } from '../../core/kernel/errors.ts'
import { parseModelName } from '../models/model-name.ts'
import { isReadable } from '../turn/context/readable-media.ts'
import type { TurnPorts } from '../turn/turn-ports.ts'
import type { SaidMessage } from './parse-chat.ts'

/** Refuses files that the agent's model can't be sent, before anything of the message is kept. */
export async function assertReadable(
  { tenant }: Caller,
  { agent, message }: { agent: string; message: SaidMessage },
  { models }: Pick<TurnPorts, 'models'>,
): Promise<void> {
  const types = message.parts.flatMap((part) => (part.type === 'file' ? part.mediaType : []))
  if (types.length === 0) return
  const settings = await models.findAgent(tenant, agent)
  // Its tools can read what its model can't.
  if (settings === undefined || settings.attachmentsToWorkspace) return
  const { provider } = parseModelName(settings.model)
  const unread = types.find((type) => !isReadable(type, provider))
  if (unread === undefined) return
  throw new ToolError('invalid_request', `${settings.model} can't read files of type ${unread}`, {
    fix: 'Send it as text, a picture or PDF, or give the agent a model that can.',
  })
}
