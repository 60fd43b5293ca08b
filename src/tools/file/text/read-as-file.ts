import { contentOutput, keptPicture } from '../../../core/kernel/content.ts'
import type { CallContext } from '../../../core/kernel/call.ts'
import { ToolError } from '../../../core/kernel/errors.ts'
import { toMediaType } from './media-type.ts'
import { readPictureSize } from './picture-size.ts'

/** Larger files are downloaded from the workspace, without a second copy beside the call. */
const maxArtifactBytes = 16 * 1_048_576
/** Anthropic takes no larger pictures; base64 adds a third. */
const maxShownBytes = 3_750_000
const maxShownSide = 8000

type Keeping = Pick<CallContext, 'workspace' | 'artifacts'>

/** The output for a file that is not text: its bytes are kept as an artifact. */
export async function readAsFile(path: string, keeping: Keeping) {
  return (await keepFile(path, keeping)).output
}

/** The same, with a picture beside the output for models that can see: then it is rich output. */
export async function readAsPicture(path: string, keeping: Keeping): ReturnType<typeof readAsFile> {
  const { bytes, output } = await keepFile(path, keeping)
  const { artifact } = output
  const size = readPictureSize(artifact.mediaType, bytes)
  if (size === undefined) return output
  const pixels = `${size.width} × ${size.height} pixels`
  if (bytes.length > maxShownBytes || Math.max(size.width, size.height) > maxShownSide) {
    const hint = `A picture of ${pixels}, too large to be shown. Make a smaller copy with a program: at most ${maxShownSide} pixels a side and ${maxShownBytes} bytes.`
    return { ...output, hint }
  }
  const text = `${path} (${artifact.mediaType}, ${pixels}, ${bytes.length} bytes, artifact ${artifact.id}):`
  const shown = { ...output, hint: `A picture of ${pixels}.` }
  return contentOutput([{ type: 'text', text }, keptPicture(artifact)], shown) as never
}

async function keepFile(path: string, { workspace, artifacts }: Keeping) {
  const { entry, bytes, isPartial } = await workspace.read(path, { maxBytes: maxArtifactBytes })
  if (isPartial) {
    throw new ToolError('invalid_input', `${path} is not text and has more than 16 MB`, {
      fix: 'Download it from the workspace, or convert it there with a program.',
    })
  }
  const mediaType = toMediaType(path, bytes)
  const name = path.split('/').at(-1) ?? path
  const artifact = await artifacts.save({ name, mediaType, bytes })
  const output = {
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
  return { bytes, output }
}
