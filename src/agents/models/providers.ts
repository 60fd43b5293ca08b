import type { Provider } from './provider.ts'
import { anthropic } from './providers/anthropic.ts'
import { bedrock } from './providers/bedrock.ts'
import { demo } from './providers/demo.ts'
import { google } from './providers/google.ts'
import { openaiCompatible } from './providers/openai-compatible.ts'
import { openai } from './providers/openai.ts'

/** The providers of models, in the order in which the configuration and errors name them. */
export const providers: readonly Provider[] = [
  demo,
  anthropic,
  openai,
  google,
  bedrock,
  openaiCompatible,
]
