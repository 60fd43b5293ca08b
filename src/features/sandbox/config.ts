import { z } from 'zod'
import { sandboxDriverNames } from '../../core/host/sandbox.ts'

const megabytes = (most: number) => z.int().min(0).max(most)

export const sandboxSchema = z
  .strictObject({
    driver: z
      .enum(['auto', ...sandboxDriverNames])
      .default('auto')
      .describe(
        'How programs of tools are kept apart from this machine; auto is bwrap on Linux and seatbelt on macOS. none runs them as the user of the server, and only with a single tenant',
      ),
    commands: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe(
        'Commands that run at once on this node, of one tenant at most half of them; others wait. Four for each processor unless set, at least eight',
      ),
    background: z
      .int()
      .min(0)
      .max(1000)
      .default(10)
      .describe('Background processes of one session'),
    nodeBackground: z
      .int()
      .min(0)
      .max(100_000)
      .default(100)
      .describe(
        'Background processes of all sessions on this node, of one tenant at most half of them',
      ),
    processes: z
      .int()
      .min(8)
      .max(32_768)
      .default(128)
      .describe('Processes and threads that one command may have at once'),
    memoryMb: megabytes(1_048_576)
      .default(2048)
      .describe(
        'Memory of all processes of a command together, where the system lets Toolcrib limit it; 0 for no limit',
      ),
    addressSpaceMb: megabytes(1_048_576)
      .default(4096)
      .describe('Address space of each process; 0 for no limit. Node needs 2 GB or more'),
    fileMb: megabytes(1_048_576)
      .default(128)
      .describe('The largest file that a command may write; 0 for no limit'),
    tmpMb: z
      .int()
      .min(1)
      .max(65_536)
      .default(64)
      .describe('The size of /tmp, which is in memory and empty again for each command'),
    openFiles: z
      .int()
      .min(32)
      .max(1_048_576)
      .default(512)
      .describe('Files that each process may have open'),
    cpuSeconds: z
      .int()
      .min(0)
      .max(604_800)
      .default(300)
      .describe('CPU time of each process of a command; 0 for no limit'),
    backgroundCpuSeconds: z
      .int()
      .min(0)
      .max(604_800)
      .default(3600)
      .describe('CPU time of each process in the background; 0 for no limit'),
    readOnly: z
      .array(
        z
          .string()
          .regex(
            /^\/(?!(?:proc|dev|sys|tmp|etc|run|workspace|usr)(?:\/|$))[^\0]+$/,
            'must be an absolute path, and not one that every sandbox has',
          ),
      )
      .max(50)
      .default([])
      .describe(
        'Further folders of this machine that commands can read, such as /opt/tools (bwrap)',
      ),
    image: z
      .string()
      .max(300)
      .optional()
      .describe('The image of containers (docker), or the template of sandboxes (e2b)'),
  })
  .prefault({})
  .describe('Where tools run programs')

export type SandboxConfig = Readonly<z.output<typeof sandboxSchema>>
