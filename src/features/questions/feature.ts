import { openOperations } from '../../core/operations/run-operation.ts'
import type { Feature, Kernel } from '../feature.ts'
import { questionsCapability } from './ask-question.ts'
import { questionOperations } from './operations.ts'
import type { QuestionParts } from './parts.ts'
import { createQuestionStore } from './store/question-store.ts'
import { createQuestionSweep } from './sweep-questions.ts'

/** Questions that calls put to people. */
export const questionsFeature: Feature = {
  name: 'questions',
  open(kernel) {
    const parts = toParts(kernel)
    return {
      operations: openOperations(questionOperations, parts),
      capabilities: { questions: questionsCapability(parts) },
      sweeps: [createQuestionSweep(parts)],
    }
  },
}

function toParts({ engine, store, ports, roles, now, onWarning }: Kernel): QuestionParts {
  const { registry, artifacts, uploads, limits, work, onSettled, peopleBehind } = ports
  const { calls, secrets, members } = store
  return {
    questions: createQuestionStore(engine, calls),
    calls,
    secrets,
    members,
    roles,
    peopleBehind,
    registry,
    artifacts,
    uploads,
    limits,
    work,
    onSettled,
    now,
    onWarning,
  }
}
