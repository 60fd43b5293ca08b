import type { LanguageModel } from 'ai'
import type { Caller } from '../core/call.ts'

/** A model that is ready to be asked, and what to call it in records. */
export interface ChosenModel {
  model: LanguageModel
  /** `openai`, `anthropic`, `demo` …: whose tool schemas and price table apply. */
  provider: string
  /** The model as configuration names it. */
  name: string
}

/** Where turns get the model of an agent from: configuration, keys and all are behind it. */
export interface ModelSource {
  /** For `caller.agent`, in the caller's tenant. Throws a ToolError that says what to configure. */
  modelFor(caller: Caller): Promise<ChosenModel>
}
