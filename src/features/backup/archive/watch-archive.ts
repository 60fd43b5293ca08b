import { type BackupManifest, manifestName } from '../../../core/backup/backup.ts'
import { readTar } from './tar-entries.ts'
import { readManifest } from './unpack-backup.ts'

/** Passes an archive on as it is, and hands out its manifest. */
export async function* watchArchive(
  pieces: AsyncIterable<Uint8Array>,
  onManifest: (manifest: BackupManifest) => void,
): AsyncGenerator<Uint8Array> {
  let passed: Uint8Array[] = []
  const takePassed = () => {
    const taken = passed
    passed = []
    return taken
  }
  const source = (async function* read() {
    for await (const piece of pieces) {
      passed.push(piece)
      yield piece
    }
  })()
  for await (const entry of readTar(source)) {
    if (entry.name === manifestName) onManifest(await readManifest(entry))
    else for await (const _ of entry.content) yield* takePassed()
    yield* takePassed()
  }
  yield* takePassed()
  for await (const piece of source) yield piece
}
