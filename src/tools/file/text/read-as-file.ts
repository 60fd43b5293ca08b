import type { CallContext } from '../../../core/kernel/call.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import { toMediaType } from './media-type.ts'

/** Larger files are downloaded from the workspace, without a second copy beside the call. */
const maxArtifactBytes = 16 * 1_048_576

/** The output for a file that is not text: its bytes are kept as an artifact. */
export async function readAsFile(
  path: string,
  { workspace, artifacts }: Pick<CallContext, 'workspace' | 'artifacts'>,
) {
  const { entry, bytes, isPartial } = await workspace.read(path, { maxBytes: maxArtifactBytes })
  if (isPartial) {
    throw new ToolError('invalid_input', `${path} is not text and has more than 16 MB`, {
      fix: 'Download it from the workspace, or convert it there with a program.',
    })
  }
  const mediaType = toMediaType(path, bytes)
  const name = path.split('/').at(-1) ?? path
  const artifact = await artifacts.save({ name, mediaType, bytes })
  return {
    path,
    text: '',
    firstLine: 1,
    lines: 0,
    totalLines: null,
    truncated: false,
    bytes: entry.bytes,
    hint: `The file is kept as an artifact (${mediaType}), because it cannot be shown as text.`,
    artifact: { id: artifact.id, bytes: artifact.bytes, mediaType: artifact.mediaType },
  }
}
