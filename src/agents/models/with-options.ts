import type { Model, ModelOptions } from './provider.ts'

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
