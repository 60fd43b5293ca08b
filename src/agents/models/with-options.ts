import type { LanguageModel } from 'ai'
import type { JsonValue } from '../../core/json.ts'
import type { ModelName } from './model-name.ts'

type Model = Exclude<LanguageModel, string>

/** What a model is asked with. */
export type ModelOptions = Readonly<Record<string, JsonValue>>

/**
 * OpenAI keeps answers unless told not to, and later requests then name what it has kept instead of
 * saying it: a conversation would end with what is deleted there, or with another key.
 */
export const usualOptions: Readonly<Partial<Record<ModelName['kind'], ModelOptions>>> = {
  openai: { store: false },
}

/** The same model, always asked with these options of its provider. */
export async function withOptions(
  model: Model,
  provider: string,
  options: ModelOptions,
): Promise<Model> {
  if (Object.keys(options).length === 0) return model
  const { defaultSettingsMiddleware, wrapLanguageModel } = await import('ai')
  const settings = { providerOptions: { [provider]: { ...options } } }
  const middleware = defaultSettingsMiddleware({ settings })
  return wrapLanguageModel({ model, middleware })
}
