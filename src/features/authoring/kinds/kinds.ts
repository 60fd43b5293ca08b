import { codeKind } from './code/code-kind.ts'
import { compositionKind } from './composition/composition-kind.ts'
import { httpKind } from './http/http-kind.ts'
import { promptKind } from './prompt/prompt-kind.ts'
import type { SpecKind } from './spec-kind.ts'
import { taskKind } from './task/task-kind.ts'

/** Every kind of spec. A kind is only handed documents whose spec its own schema has read. */
export const specKinds: readonly SpecKind[] = [
  httpKind,
  codeKind,
  promptKind,
  taskKind,
  compositionKind,
]
