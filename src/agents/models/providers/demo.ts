import { createDemoModel } from '../demo/demo-model.ts'
import { withDemoWords } from '../demo/demo-words.ts'
import type { Provider } from '../provider.ts'

/** Needs no key and no network. */
export const demo: Provider = {
  id: 'demo',
  modelPath: '',
  keys: { names: [], defaults: [] },
  async open() {
    const model = createDemoModel()
    return () => model
  },
  schemaFlavour: 'plain',
  outputMedia: 'none',
  messageMedia: 'all',
  dressTool: withDemoWords,
}
