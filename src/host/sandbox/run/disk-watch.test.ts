import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ToolError } from '../../../core/kernel/errors.ts'
import { hasBwrap, openScene, type SandboxScene } from '../testing/sandbox-scene.ts'

const isThere = await hasBwrap()
const megabyte = 1024 * 1024

describe.skipIf(!isThere)(
  'the disk that a running command uses (skipped without bubblewrap)',
  () => {
    let scene: SandboxScene
    beforeAll(async () => {
      scene = await openScene()
    })
    afterAll(() => scene?.close())

    /** Processes of a workspace that is full once `isFull` returns true. */
    function processesFull(isFull: (heldBytes: number) => boolean) {
      const counts: number[] = []
      const processes = scene.processesWith({
        async measure(_id, heldBytes = 0) {
          counts.push(heldBytes)
          if (isFull(heldBytes)) throw new ToolError('quota_exceeded', 'The workspace is full')
        },
      })
      return { processes, counts }
    }

    test('files that it has deleted and holds open count, each once, and end it', async () => {
      const { processes, counts } = processesFull((held) => held > 30 * megabyte)
      const hold = `exec 9<>held && rm held && head -c ${40 * megabyte} /dev/zero >&9 && sleep 300 & sleep 300`
      await expect(processes.run({ command: hold })).rejects.toMatchObject({
        code: 'quota_exceeded',
      })
      expect(counts.find((held) => held > 0)).toBeLessThan(45 * megabyte)
      expect(counts.at(-1)).toBe(0)
    })

    test('so do files that it has only mapped', async () => {
      const { processes } = processesFull((held) => held > 30 * megabyte)
      const hold = `perl -e '
      open(my $file, "+>", "mapped") or die; print $file "x" x ${40 * megabyte}; $file->flush;
      my $at = syscall(9, 0, 4096, 3, 1, fileno($file), 0); $at > 0 or die; close($file); unlink("mapped"); sleep 300'`
      await expect(processes.run({ command: hold })).rejects.toMatchObject({
        code: 'quota_exceeded',
      })
    })

    test('a background process that fills its workspace is ended, with the reason in its output', async () => {
      const { processes } = processesFull(() => true)
      const { pid } = await processes.start({
        command: `for n in {1..4}; do head -c ${10 * megabyte} /dev/zero > big$n; done; sleep 300`,
      })
      await expect.poll(async () => (await processes.status(pid)).state).not.toBe('running')
      const { text } = await processes.output(pid, { stream: 'stderr', maxBytes: 1000 })
      expect(text).toContain('too full here. The workspace is full')
    })
  },
)
